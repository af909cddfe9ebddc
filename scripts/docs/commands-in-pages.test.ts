import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { isFlagName } from "../../apps/controller/src/flags/definitions/all.ts";
import { PAGES } from "../../docs/.vitepress/sidebar.ts";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "../lib/project.mjs";
import { documentedCommands } from "./commands-page.ts";

const COMMANDS = new Map((await documentedCommands()).map((command) => [command.name, command]));
const SCRIPTS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(inProject("package.json"), "utf8"),
).scripts;
const FOLDERS = /^(apps|deploy|docs|e2e|packages|prisma|scripts)\//;

/** The command lines that each page shows, one per line: in fences, indented or within a sentence. */
const PAGES_WITH_CODE = PAGES.filter((page) => !/CHANGELOG|commands\.md|flags\.md/.test(page)).map(
  (page) => [page, codeOf(readFileSync(inProject(page), "utf8"))] as const,
);

describe.each(PAGES_WITH_CODE)("%s", (_page, code) => {
  it("names only existing commands of cloudwright, with their own options", () => {
    expect(code.flatMap(problemsOfCloudwright)).toEqual([]);
  });

  it("names only existing scripts, with their own options", () => {
    expect(code.flatMap(problemsOfScripts)).toEqual([]);
  });
});

it("names only options of ours or of the programs that pages mention", () => {
  const known = new Set([
    ...[...COMMANDS.values()].flatMap(({ help }) => optionsIn(wordsOf(help))),
    ...optionsIn(
      wordsOf(
        PAGES_WITH_CODE.flatMap(([, code]) => code)
          .filter(isScript)
          .join(" "),
      ),
    ),
    ...OF_OTHERS,
    ...optionsOfProviderProcesses(),
  ]);
  const named = PAGES_WITH_CODE.flatMap(([page, code]) =>
    code
      .filter((line) => line.startsWith("--"))
      .flatMap((line) => optionsIn([wordsOf(line)[0] ?? ""]).map((option) => ({ page, option }))),
  );
  expect(named.length).toBeGreaterThan(150);
  const unknown = named.filter(
    ({ option }) =>
      !known.has(option) && !isFlagName(option) && !isReadBy(sourceOf("bench"), option),
  );
  expect(unknown.map(({ page, option }) => `${page}: --${option}`)).toEqual([]);
});

it("finds commands, and mistakes in them", () => {
  const all = PAGES_WITH_CODE.flatMap(([, code]) => code);
  expect(all.filter((line) => CLOUDWRIGHT.test(line)).length).toBeGreaterThan(60);
  const wrong = [
    "cloudwright histroy --object a",
    "DATABASE_URL=x cloudwright history --objekt a",
    "cloudwright plan --only Node/w-1 --no-such-flag=1 | less",
    "npm run bnech",
    "npm run chaos -- --sed 7",
    "npx vitest run packages/core/src/nowhere",
  ];
  expect(
    wrong.flatMap((line) => [...problemsOfCloudwright(line), ...problemsOfScripts(line)]),
  ).toEqual([
    "cloudwright histroy: no such command",
    "cloudwright history: no option --objekt",
    "cloudwright plan: no option --no-such-flag",
    "npm run bnech: no such script",
    "npm run chaos: no option --sed",
    "packages/core/src/nowhere: no such file",
  ]);
});

/** Options of the kubelet and kube-apiserver, and of V8. */
const OF_OTHERS = [
  ...["node-ip", "hostname-override", "provider-id", "kubelet-certificate-authority"],
  ...["kubelet-preferred-address-types", "no-opt", "single-threaded-gc", "no-turbofan"],
  "always-sparkplug",
];

/** As declared by the Go side of provider processes. */
function optionsOfProviderProcesses(): readonly string[] {
  const source = readFileSync(inProject("packages/providers/grpc/go/serve/main.go"), "utf8");
  return [...source.matchAll(/flags\.\w+\((?:&\w+, )?"([\w-]+)"/g)].map(([, name = ""]) => name);
}

/** Options on lines with a script are checked separately. */
function isScript(line: string): boolean {
  return /^npm (run|start)/.test(line);
}

function codeOf(text: string): readonly string[] {
  const fences = [...text.matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)];
  const fenced = fences.flatMap(([, language = "", code = ""]) =>
    ["", "sh"].includes(language) ? linesOf(code) : [],
  );
  const rest = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  const indented = [...rest.matchAll(/(?:^ {4,}\S[^\n]*\n)+/gm)].flatMap(([code]) => linesOf(code));
  const prose = rest.replaceAll(/^ {4,}\S[^\n]*$/gm, "");
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  return [...fenced, ...indented, ...inline];
}

/** Joins lines that end with a backslash with the next one; leaves out comments. */
function linesOf(code: string): readonly string[] {
  return code
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) =>
      line
        .replaceAll(/"[^"]*"|'[^']*'/g, "…")
        .replace(/(^|\s)#.*$/, "")
        .trim(),
    );
}

/** The beginning of a command: not in `helm uninstall cloudwright`. */
const CLOUDWRIGHT = /(?:^|-- |\$\(|[|;&] |\w+=\S+ )cloudwright ([a-z][^|;&>)]*)/;

function problemsOfCloudwright(line: string): readonly string[] {
  const [, said] = CLOUDWRIGHT.exec(line) ?? [];
  if (said === undefined) return [];
  const words = wordsOf(said);
  const [first = "", second = ""] = words;
  const command = COMMANDS.get(`${first} ${second}`) ?? COMMANDS.get(first);
  if (command === undefined) return [`cloudwright ${first}: no such command`];
  const { name, help, isFlagged } = command;
  const own = new Set(
    [...help.matchAll(/^ +(?:-(\w), )?--([a-z-]+)/gm)].flatMap(([, a, b]) => [a, b]),
  );
  return optionsIn(words)
    .filter((option) => !own.has(option) && !(isFlagged && isFlagName(option)))
    .map((option) => `cloudwright ${name}: no option --${option}`);
}

function problemsOfScripts(line: string): readonly string[] {
  const problems = wordsOf(line)
    .filter((word) => FOLDERS.test(word) && /^(npx|node|npm|kubectl|promtool|helm) /.test(line))
    .filter((word) => !existsSync(inProject(word)))
    .map((word) => `${word}: no such file`);
  const [, name, said = ""] = /^npm run ([\w:]+)(?: \[?-- (.*))?/.exec(line) ?? [];
  if (name === undefined) return problems;
  if (SCRIPTS[name] === undefined) return [`npm run ${name}: no such script`];
  const options = optionsIn(wordsOf(said));
  const source = options.length === 0 ? "" : sourceOf(name);
  return options
    .filter((option) => !isReadBy(source, option))
    .map((option) => `npm run ${name}: no option --${option}`);
}

function isReadBy(source: string, option: string): boolean {
  return new RegExp(`["\`'-]${option}\\b|\\b${option}:`).test(source);
}

/** Returns the source that parses the options of a script: every file of its folder, and of folders that it shares with others. */
function sourceOf(name: string): string {
  const script = inProject("scripts", `${name}.mjs`);
  if (existsSync(script)) return readFileSync(script, "utf8");
  const file = `e2e/${name.replace(/^e2e:/, "")}/main.ts`;
  const folder = dirname(file);
  return [folder, "e2e/harness"]
    .flatMap((each) =>
      readdirSync(inProject(each), { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts"))
        .map((path) => readFileSync(inProject(each, path), "utf8")),
    )
    .join("\n");
}

function wordsOf(said: string): readonly string[] {
  return said.split(/[\s[\]]+/);
}

function optionsIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => /^--?([a-z][a-z-]*)(=|$)/.exec(word)?.[1] ?? []);
}

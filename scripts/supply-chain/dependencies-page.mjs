import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inProject } from "../lib/project.mjs";
import { REASONS } from "./reasons.mjs";

const KINDS = [
  { field: "dependencies", title: "What the product runs with" },
  { field: "optionalDependencies", title: "What is installed on one platform only" },
  { field: "devDependencies", title: "What builds and tests it" },
];

/** docs/dependencies.md, which has to match `dependenciesPage`. */
export const PAGE = "docs/dependencies.md";

/** Returns the page, from every package.json of the project and the reasons beside this file. */
export function dependenciesPage(manifests = readManifests(), reasons = REASONS) {
  const tables = KINDS.map((kind) => table(kind, dependenciesOf(manifests), reasons));
  return `# Dependencies

Every direct dependency, which packages of ours use it, and why. This page is written by \`npm run dependencies\` from the package.json files and
\`scripts/supply-chain/reasons.mjs\`. \`npm run check\` fails if a dependency has no reason, if a reason has no dependency, and if this page is not
up to date.

- **Versions are exact**: each is the newest whose builds for all its platforms are in the registry. \`package-lock.json\` has the sha512 hash of every package, indirect ones included: npm rejects other content.
  It contains no addresses, so packages come from the registry that the machine is configured for.
- **Nothing runs at install** (\`ignore-scripts\` in \`.npmrc\`), and nothing is downloaded from elsewhere: binaries come in npm packages.
- \`npm run sbom\` writes the whole list, indirect dependencies included, as CycloneDX JSON, and all licences, to \`sbom/\`, without a network. It fails if a
  licence is not allowed.
- \`npm run signatures\` makes npm check the registry's signatures of the installed packages, and says so if the registry does not answer.

${tables.join("\n")}`;
}

/** Returns the problems, one sentence each. */
export function problemsOfReasons(manifests = readManifests(), reasons = REASONS) {
  const names = new Set(dependenciesOf(manifests).map(({ name }) => name));
  const missing = [...names].filter((name) => !reasons[name]?.trim());
  const left = Object.keys(reasons).filter((name) => !names.has(name));
  return [
    ...missing.map(
      (name) => `${name} has no reason: say why it is needed in scripts/supply-chain/reasons.mjs.`,
    ),
    ...left.map(
      (name) =>
        `${name} has a reason, but is no longer a dependency: remove its line from scripts/supply-chain/reasons.mjs.`,
    ),
  ];
}

/** Returns each dependency of each kind once, with all packages that use it; workspaces do not count. */
function dependenciesOf(manifests) {
  const found = new Map();
  for (const { user, ...one } of KINDS.flatMap(({ field }) => usesOf(field, manifests))) {
    const key = `${one.field} ${one.name}`;
    found.set(key, { ...one, users: [...(found.get(key)?.users ?? []), user] });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function usesOf(field, manifests) {
  return manifests.flatMap((manifest) => {
    const user = manifest.name.replace("@cloudwright/", "");
    return Object.entries(manifest[field] ?? {})
      .filter(([name]) => !name.startsWith("@cloudwright/"))
      .map(([name, version]) => ({ field, name, version, user }));
  });
}

function table({ field, title }, dependencies, reasons) {
  const rows = dependencies
    .filter((one) => one.field === field)
    .map(
      ({ name, version, users }) =>
        `| \`${name}\` | ${version} | ${users.join(", ")} | ${reasons[name] ?? ""} |`,
    );
  return `## ${title}\n\n| package | version | used by | why |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
}

function readManifests() {
  const { workspaces } = readManifest(".");
  return [".", ...workspaces.flatMap(foldersOf)].map(readManifest);
}

/** Returns the folders that a workspace pattern matches: one, or all in one. */
function foldersOf(pattern) {
  if (!pattern.endsWith("/*")) return [pattern];
  const parent = pattern.slice(0, -2);
  return readdirSync(inProject(parent)).map((name) => join(parent, name));
}

function readManifest(folder) {
  return JSON.parse(readFileSync(inProject(folder, "package.json"), "utf8"));
}

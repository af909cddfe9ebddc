import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/project.mjs";

/** The branch from which releases are made. */
const BRANCH = "main";

/** Returns everything that keeps a checkout from being released as this version, one sentence each. */
export function releaseProblems(version, root = ROOT) {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) {
    return [`"${version}" is no version: give one such as 1.2.3.`];
  }
  return [
    ...gitProblems(version, root),
    ...versionProblems(version, root),
    ...changelogProblems(version, root),
  ];
}

function gitProblems(version, root) {
  const branch = git(root, "rev-parse", "--abbrev-ref", "HEAD");
  const changed = git(root, "status", "--porcelain");
  const tag = git(root, "tag", "--list", tagOf(version));
  return [
    ...(branch === BRANCH ? [] : [`This is ${branch}: releases are made of ${BRANCH}.`]),
    ...(changed === "" ? [] : [`Files are not committed:\n${changed}`]),
    ...(tag === "" ? [] : [`The tag ${tag} is there already: take the next version.`]),
  ];
}

/** Checks where the version is written. `@cloudwright/provider-api` has its own version, since it makes other promises. */
function versionProblems(version, root) {
  return [...packageVersions(root), ...chartVersions(root)]
    .filter(({ found }) => found !== version)
    .map(({ where, found }) => `${where} is ${found}: it must be ${version}.`);
}

function packageVersions(root) {
  const { packages } = readJson(root, "package-lock.json");
  const ours = Object.keys(packages).filter((path) => !path.includes("node_modules/"));
  const manifests = ours.map((path) => ({ path, manifest: readJson(root, path, "package.json") }));
  const released = manifests.filter(
    ({ manifest }) => manifest.name !== "@cloudwright/provider-api",
  );
  const names = new Set(released.map(({ manifest }) => manifest.name));
  return released.flatMap(({ path, manifest }) => [
    { where: `The version of ${join(path, "package.json")}`, found: manifest.version },
    { where: `The version of "${path}" in package-lock.json`, found: packages[path].version },
    ...Object.entries(manifest.dependencies ?? {})
      .filter(([name]) => names.has(name))
      .map(([name, found]) => ({ where: `${name} in ${join(path, "package.json")}`, found })),
  ]);
}

function chartVersions(root) {
  const chart = readFileSync(join(root, "deploy/chart/Chart.yaml"), "utf8");
  return ["version", "appVersion"].map((field) => ({
    where: `${field} of deploy/chart/Chart.yaml`,
    found: new RegExp(`^${field}: "?([^"\\s]+)"?$`, "m").exec(chart)?.[1] ?? "missing",
  }));
}

function changelogProblems(version, root) {
  const sections = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^(?=## )/m);
  const section = sections.find((text) => text.startsWith(`## ${version} (`));
  if (section === undefined || !/^## \S+ \(\d{4}-\d{2}-\d{2}\)\n/.test(section)) {
    return [
      `CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)": give its section that name.`,
    ];
  }
  return /^- /m.test(section) ? [] : [`The section of ${version} in CHANGELOG.md lists no change.`];
}

/** Tags the commit for the release; returns the tag's name. */
export function tagRelease(version, root = ROOT) {
  git(root, "tag", "--annotate", tagOf(version), "--message", version);
  return tagOf(version);
}

function tagOf(version) {
  return `v${version}`;
}

function git(root, ...args) {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

function readJson(root, ...path) {
  return JSON.parse(readFileSync(join(root, ...path), "utf8"));
}

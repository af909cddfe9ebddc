import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { inProject } from "../lib/project.mjs";

/** Reports whether everything in the lock file is installed, packages as well as links of workspaces. */
export function isInstalled() {
  return hasPackages() && unlinkedWorkspaces().length === 0;
}

/**
 * Reports whether node_modules contains the packages in the lock file. npm writes its own record at the very end of an install,
 * so a matching record means a complete install: one that a developer made with `npm install` is kept.
 */
export function hasPackages({
  wanted = packagesOf("package-lock.json"),
  present = packagesOf("node_modules/.package-lock.json"),
  platform = process,
} = {}) {
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(
    ([path, entry]) => isNoPackage(path, entry) || fits(entry, present[path], platform),
  );
}

/** Returns the workspaces, by their paths in node_modules, that are not linked there, such as one added after the install. */
export function unlinkedWorkspaces({
  wanted = packagesOf("package-lock.json") ?? {},
  folder = inProject("."),
} = {}) {
  return Object.entries(wanted)
    .filter(([, { link, resolved }]) => link === true && existsSync(join(folder, resolved)))
    .filter(([path, { resolved }]) => !leadsTo(join(folder, path), join(folder, resolved)))
    .map(([path]) => path);
}

/** Links them like npm, which would reinstall all of node_modules for that. */
export function linkWorkspaces({
  wanted = packagesOf("package-lock.json") ?? {},
  folder = inProject("."),
} = {}) {
  for (const path of unlinkedWorkspaces({ wanted, folder })) {
    const link = join(folder, path);
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { recursive: true, force: true });
    symlinkSync(relative(dirname(link), join(folder, wanted[path].resolved)), link);
  }
}

function leadsTo(link, folder) {
  return existsSync(link) && realpathSync(link) === realpathSync(folder);
}

/** Workspaces are links. */
function isNoPackage(path, entry) {
  return !path.includes("node_modules/") || entry.link === true;
}

/** Optional packages for other platforms may be missing, but one for this platform is required. */
function fits(wanted, present, platform) {
  if (present !== undefined) return present.version === wanted.version;
  return wanted.optional === true && !isFor(wanted, platform);
}

/** Of two builds for one platform, npm installs the one for its C library; which one is left to npm. */
function isFor({ os = [], cpu = [], libc }, { platform, arch }) {
  return libc === undefined && [os].flat().includes(platform) && [cpu].flat().includes(arch);
}

function packagesOf(file) {
  const path = inProject(file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : undefined;
}

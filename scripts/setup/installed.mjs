import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { inProject } from "../lib/project.mjs";

/** Whether nothing of the lock file is missing, neither a package nor the link of a workspace. */
export function isInstalled() {
  return hasPackages() && unlinkedWorkspaces().length === 0;
}

/**
 * Whether node_modules holds the packages that the lock file asks for. npm writes its own record at the very end of an install, so a
 * record that fits stands for a whole install: one that a developer made by `npm install` is not thrown away.
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

/** The workspaces, by their paths in node_modules, that are not linked there: such as one that has come since the install. */
export function unlinkedWorkspaces({
  wanted = packagesOf("package-lock.json") ?? {},
  folder = inProject("."),
} = {}) {
  return Object.entries(wanted)
    .filter(([, { link, resolved }]) => link === true && existsSync(join(folder, resolved)))
    .filter(([path, { resolved }]) => !leadsTo(join(folder, path), join(folder, resolved)))
    .map(([path]) => path);
}

/** Links them as npm does, which would make the whole of node_modules anew for it. */
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

/** Optional packages may be absent where they are for other platforms; one for this platform is part of what we run on. */
function fits(wanted, present, platform) {
  if (present !== undefined) return present.version === wanted.version;
  return wanted.optional === true && !isFor(wanted, platform);
}

/** Of two builds for one platform npm installs the one for its C library; which that is, is npm's to know. */
function isFor({ os = [], cpu = [], libc }, { platform, arch }) {
  return libc === undefined && [os].flat().includes(platform) && [cpu].flat().includes(arch);
}

function packagesOf(file) {
  const path = inProject(file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : undefined;
}

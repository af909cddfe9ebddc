import { existsSync, readFileSync } from "node:fs";
import { inProject } from "../lib/project.mjs";

/**
 * Whether node_modules holds what the lock file asks for. npm writes its own record at the very end of an install, so a
 * record that fits stands for a whole install: one that a developer made by `npm install` is not thrown away.
 */
export function isInstalled({
  wanted = packagesOf("package-lock.json"),
  present = packagesOf("node_modules/.package-lock.json"),
  platform = process,
} = {}) {
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(
    ([path, entry]) => isNoPackage(path, entry) || fits(entry, present[path], platform),
  );
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

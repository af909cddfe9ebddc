import { existsSync, readFileSync } from "node:fs";
import { inProject } from "../lib/project.mjs";

/**
 * Whether node_modules holds what the lock file asks for. npm writes its own record at the very end of an install, so a
 * record that fits stands for a whole install: one that a developer made by `npm install` is not thrown away.
 */
export function isInstalled() {
  const wanted = packagesOf("package-lock.json");
  const present = packagesOf("node_modules/.package-lock.json");
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => fits(path, entry, present[path]));
}

/** Optional packages are for other platforms where they are absent; workspaces are links. */
function fits(path, wanted, present) {
  if (!path.includes("node_modules/") || wanted.link === true) return true;
  if (present === undefined) return wanted.optional === true;
  return present.version === wanted.version;
}

function packagesOf(file) {
  const path = inProject(file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : undefined;
}

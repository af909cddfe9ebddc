import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { inProject, ROOT } from "./project.mjs";

/** The stamps of set-up that are stored in the packages' folder, which a copy shares with its original. */
const STAMPS = ["node_modules/.stamp-install", "node_modules/.stamp-provider-api"];

/**
 * Copies the sources of this checkout, committed or not, into a folder, with hard links to its packages, which nothing modifies.
 * Build output is copied if it is named. Needs git.
 */
export function copyCheckout(folder, built = []) {
  const git = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = execFileSync("git", git, { cwd: ROOT, encoding: "utf8" }).split("\0");
  for (const path of listed) if (path !== "" && existsSync(inProject(path))) copy(path, folder);
  for (const path of ["node_modules", "apps/web/node_modules"]) {
    if (existsSync(inProject(path))) linkOrCopy(inProject(path), join(folder, path));
  }
  for (const stamp of STAMPS) rmSync(join(folder, stamp), { force: true });
  for (const path of built) copy(path, folder);
}

/** On another disk, or if `cp` cannot create links, it copies. */
function linkOrCopy(from, to) {
  try {
    execFileSync("cp", ["-al", from, to], { stdio: "ignore" });
  } catch {
    rmSync(to, { recursive: true, force: true });
    execFileSync("cp", ["-a", from, to]);
  }
}

function copy(path, folder) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(inProject(path), join(folder, path), { recursive: true, verbatimSymlinks: true });
}

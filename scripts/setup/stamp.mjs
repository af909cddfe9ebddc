import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inProject } from "../lib/project.mjs";

const IGNORED = new Set(["node_modules", "dist", ".next", "test-results"]);
const TEST_FILE = /\.test\.tsx?$/;
/** Files that tools write into source folders by themselves. */
const GENERATED = /(^next-env\.d\.ts|\.tsbuildinfo)$/;

/** Returns a hash of files and folders in the project; tests and build output do not count. */
export function hashOf(paths, extra = "") {
  const hash = createHash("sha256").update(extra);
  for (const path of paths) addPath(hash, path);
  return hash.digest("hex");
}

/** Reports whether the stamp matches this input, and the output exists. */
export function isFresh({ stamp, output, hash }) {
  return existsSync(inProject(output)) && readStamp(stamp) === hash;
}

export function writeStamp(stamp, hash) {
  writeFileSync(inProject(stamp), `${hash}\n`);
}

export function removeStamp(stamp) {
  rmSync(inProject(stamp), { force: true });
}

function readStamp(stamp) {
  const path = inProject(stamp);
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
}

function addPath(hash, path) {
  const full = inProject(path);
  if (!existsSync(full)) return;
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).sort()) addEntry(hash, path, name);
  } else {
    hash.update(path).update("\0").update(readFileSync(full)).update("\0");
  }
}

function addEntry(hash, folder, name) {
  if (IGNORED.has(name) || name.startsWith(".stamp") || TEST_FILE.test(name)) return;
  if (GENERATED.test(name)) return;
  addPath(hash, join(folder, name));
}

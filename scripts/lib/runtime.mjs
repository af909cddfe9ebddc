import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { inProject } from "./project.mjs";

/** The oldest release line that is still supported; what runs the product is at least this. */
const SUPPORTED_MAJOR = 24;

/**
 * The Node that runs the product and its tests: this one when its release line is supported, else the pinned one that came with the
 * packages. Where npm has none for this platform, or it does not start here (another C library), the product runs on this one.
 */
export function runtime({
  version = process.versions.node,
  own = process.execPath,
  pinned = pinnedNode(),
} = {}) {
  if (majorOf(version) >= SUPPORTED_MAJOR) return own;
  return existsSync(pinned) && starts(pinned) ? pinned : own;
}

function pinnedNode() {
  return inProject("node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");
}

function starts(path) {
  const { status, stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  return status === 0 && majorOf(stdout.replace(/^v/, "")) >= SUPPORTED_MAJOR;
}

function majorOf(version) {
  return Number.parseInt(version, 10);
}

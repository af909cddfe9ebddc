import { execFile, spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";

/** The Go module that turns Go providers into provider processes. */
export const GO_MODULE = resolve(import.meta.dirname, "../go");

/** Includes downloads of modules and a first compilation. */
export const GO_TIMEOUT_MS = 600_000;

/** Whether to skip tests that need Go: if Go is missing, unless a skip counts as a failure. */
export const isGoMissing =
  process.env.REQUIRE_REAL !== "1" && spawnSync("go", ["version"]).status !== 0;

/** Leaves out paths of this machine, so that builds are reproducible; the same for all commands, so that they share compiled packages. */
const FLAGS = ["-trimpath", "-buildvcs=false"];

/** Runs `go` in this folder and returns its output. Rejects with the output if it fails. */
export async function go(cwd: string, command: string, ...args: string[]): Promise<string> {
  const flags = command === "vet" || command === "build" || command === "test" ? FLAGS : [];
  const options = { cwd, env: { ...process.env, CGO_ENABLED: "0" }, timeout: GO_TIMEOUT_MS };
  const { stdout } = await promisify(execFile)("go", [command, ...flags, ...args], options);
  return stdout;
}

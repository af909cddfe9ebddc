import { execFile, spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";

/** The Go module that makes provider processes of Go providers. */
export const GO_MODULE = resolve(import.meta.dirname, "../go");

/** Downloads of modules and a first compilation included. */
export const GO_TIMEOUT_MS = 600_000;

/** Whether what needs Go is to be skipped: where Go is missing, unless a skip counts as a failure. */
export const isGoMissing =
  process.env.REQUIRE_REAL !== "1" && spawnSync("go", ["version"]).status !== 0;

/** With paths of this machine left out, and so alike everywhere; the same for all commands, which so share what is compiled. */
const FLAGS = ["-trimpath", "-buildvcs=false"];

/** Runs `go` in this folder to its end and answers what it printed. Rejects with that when it fails. */
export async function go(cwd: string, command: string, ...args: string[]): Promise<string> {
  const flags = command === "vet" || command === "build" || command === "test" ? FLAGS : [];
  const options = { cwd, env: { ...process.env, CGO_ENABLED: "0" }, timeout: GO_TIMEOUT_MS };
  const { stdout } = await promisify(execFile)("go", [command, ...flags, ...args], options);
  return stdout;
}

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

let built: Promise<unknown> | undefined;

/** Returns the path of the shipped `cloudwright` command, bundled again if the source has changed. */
export async function cloudwrightProgram(): Promise<string> {
  built ??= promisify(execFile)(process.execPath, ["scripts/setup.mjs"], { cwd: ROOT });
  await built;
  return fileURLToPath(new URL("../bin/cloudwright.mjs", import.meta.url));
}

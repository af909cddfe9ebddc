import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { cloudwrightProgram } from "./program.ts";

const FULL = "/dev/full";

it("ends without a word when the reader of its output has gone, as SIGPIPE ends other programs", async () => {
  const child = spawn(process.execPath, [await cloudwrightProgram(), "permissions"]);
  child.stdout.destroy();
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect({ complaint, code }).toEqual({ complaint: "", code: 141 });
});

it.runIf(existsSync(FULL))("says in one sentence that its output has no room", async () => {
  const command = `"$0" "$1" permissions > ${FULL}`;
  const child = spawn("sh", ["-c", command, process.execPath, await cloudwrightProgram()]);
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect(complaint).toMatch(/^The output cannot be written \(ENOSPC: [^\n]*\): [^\n]*\.\n$/);
  expect(code).toBe(1);
});

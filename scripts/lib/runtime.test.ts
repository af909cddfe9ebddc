import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { runtime } from "./runtime.mjs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-runtime-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it("runs the product on the machine's own Node when its release line is supported", () => {
  const pinned = program("echo v24.21.0");
  expect(runtime({ version: "24.0.0", own: "/own/node", pinned })).toBe("/own/node");
  expect(runtime({ version: "26.10.0", own: "/own/node", pinned })).toBe("/own/node");
});

it("runs it on the pinned Node when the machine's own is older", () => {
  const pinned = program("echo v24.21.0");
  expect(runtime({ version: "20.19.0", own: "/own/node", pinned })).toBe(pinned);
});

it("runs it on the machine's own where npm has no Node for the platform", () => {
  expect(runtime({ version: "20.19.0", own: "/own/node", pinned: join(folder, "none") })).toBe("/own/node");
});

it("runs it on the machine's own where the pinned Node does not start", () => {
  const pinned = program("exit 127");
  expect(runtime({ version: "20.19.0", own: "/own/node", pinned })).toBe("/own/node");
});

function program(line: string): string {
  const path = join(folder, "node");
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
  return path;
}

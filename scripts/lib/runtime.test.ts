import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { hideUnusable, runtime } from "./runtime.mjs";

let folder: string;
let reports: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-runtime-"));
  reports = [];
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it("runs the product on the machine's own Node if its release line is supported", () => {
  const pinned = program("echo v24.21.0");
  expect(chosen("24.0.0", pinned)).toBe("/own/node");
  expect(chosen("26.10.0", pinned)).toBe("/own/node");
  expect(reports).toEqual([]);
});

it("runs it on the pinned Node if the machine's own is older", () => {
  const pinned = program("echo v24.21.0");
  expect(chosen("20.19.0", pinned)).toBe(pinned);
  expect(chosen("22.23.2", pinned)).toBe(pinned);
  expect(reports).toEqual([]);
});

it("runs it on the machine's own if npm has no Node for the platform, and reports that once", () => {
  expect(chosen("20.19.1", join(folder, "none"))).toBe("/own/node");
  expect(chosen("20.19.1", join(folder, "none"))).toBe("/own/node");
  expect(reports).toHaveLength(1);
  expect(reports[0]).toMatch(
    /Node 20\.19\.1, because the pinned Node 24 does not start here .*: install Node 24/,
  );
});

it.each([
  ["ends with an error", "exit 127"],
  ["is of an older release line", "echo v20.20.2"],
])("runs it on the machine's own where the pinned Node %s", (_, line) => {
  expect(chosen("20.19.2", program(line))).toBe("/own/node");
});

it("starts the pinned Node once to see whether it works, however often it is requested", () => {
  const marks = join(folder, "marks");
  const pinned = program(`echo started >> ${marks}; echo v24.21.0`);
  chosen("20.19.0", pinned);
  rmSync(marks);
  expect(chosen("20.19.0", pinned)).toBe(pinned);
  expect(existsSync(marks)).toBe(false);
});

it("removes a pinned Node that does not start from the PATH of npm's scripts, and leaves one that does", () => {
  const link = join(folder, "link");
  symlinkSync(program("echo v24.21.0", "works"), link);
  hideUnusable({ pinned: join(folder, "works"), link });
  expect(existsSync(link)).toBe(true);
  hideUnusable({ pinned: program("exit 127", "fails"), link });
  expect(existsSync(link)).toBe(false);
});

function chosen(version: string, pinned: string): string {
  const report = (sentence: string) => reports.push(sentence);
  return runtime({ version, own: "/own/node", pinned, report });
}

function program(line: string, name = "node"): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
  return path;
}

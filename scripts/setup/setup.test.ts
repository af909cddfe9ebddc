import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "../lib/project.mjs";
// @ts-expect-error The same.
import { hashOf, isFresh, removeStamp, writeStamp } from "./stamp.mjs";

let folder: string;
let inFolder: (...parts: readonly string[]) => string;

beforeEach(() => {
  mkdirSync(inProject("node_modules"), { recursive: true });
  const full = mkdtempSync(inProject("node_modules", ".setup-test-"));
  folder = relative(inProject(), full);
  inFolder = (...parts) => join(folder, ...parts);
  mkdirSync(join(full, "src", "deep"), { recursive: true });
  writeFileSync(join(full, "src", "a.ts"), "one");
});

afterEach(() => rmSync(inProject(folder), { recursive: true, force: true }));

it.each([
  ["changed", "src/a.ts", "two"],
  ["new", "src/deep/b.ts", ""],
])("sees a %s source", (_, file, text) => {
  const before = hashOf([inFolder("src")]);
  writeFileSync(inProject(inFolder(file)), text);
  expect(hashOf([inFolder("src")])).not.toBe(before);
});

it.each(["src/a.test.ts", "src/.stamp-x"])("does not build anew because of %s", (file) => {
  const before = hashOf([inFolder("src")]);
  writeFileSync(inProject(inFolder(file)), "text");
  expect(hashOf([inFolder("src")])).toBe(before);
});

it("repeats a step if its output or its stamp is missing, or if its input has changed", () => {
  const step = { stamp: inFolder(".stamp-test"), output: inFolder("out"), hash: "1" };
  expect(isFresh(step)).toBe(false);
  writeStamp(step.stamp, "1");
  expect(isFresh(step)).toBe(false);
  writeFileSync(inProject(step.output), "");
  expect(isFresh(step)).toBe(true);
  expect(isFresh({ ...step, hash: "2" })).toBe(false);
  removeStamp(step.stamp);
  expect(isFresh(step)).toBe(false);
});

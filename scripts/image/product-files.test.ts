import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { filesIn } from "./product-files.mjs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-tree-"));
  mkdirSync(join(folder, "real", "lib"), { recursive: true });
  writeFileSync(join(folder, "real", "lib", "index.js"), "");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("lists files by their paths within a folder", () => {
  symlinkSync("lib/index.js", join(folder, "real", "main.js"));
  expect([...(filesIn(folder) as string[])].sort()).toEqual(["real/lib/index.js", "real/main.js"]);
});

it("refuses a link to a folder, as what it leads to would be packed twice or not at all", () => {
  symlinkSync("real", join(folder, "link"));
  expect(() => filesIn(folder)).toThrow(/\/link is a link to a folder: what is pa/);
});

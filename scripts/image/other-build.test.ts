import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { differences } from "./other-build.mjs";

const FILES = ["app/a", "app/b"].map((path) => ({ path, content: () => Buffer.from(path) }));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-other-build-"));
  mkdirSync(join(folder, "app"));
  for (const { path, content } of FILES) writeFileSync(join(folder, path), content());
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("finds no difference between two builds with the same bytes; empty folders do not count", () => {
  expect(differences([...FILES, { path: "tmp" }], folder)).toEqual([]);
});

it.each<[string, () => void, string]>([
  ["with other bytes", () => writeFileSync(join(folder, "app/a"), "app/A"), "app/a"],
  ["that is missing", () => rmSync(join(folder, "app/b")), "app/b"],
  ["that only the other build has", () => writeFileSync(join(folder, "app/c"), ""), "app/c"],
])("names a file %s", (_, change, path) => {
  change();
  expect(differences(FILES, folder)).toEqual([path]);
});

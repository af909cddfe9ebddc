import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findExecutable } from "./find-executable.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-find-"));
  for (const each of ["given", "path", "later"]) mkdirSync(join(folder, each));
  for (const each of ["given/cloudwright-provider-both", "path/cloudwright-provider-both"]) {
    program(each, 0o755);
  }
  program("path/cloudwright-provider-plain", 0o644);
  program("later/cloudwright-provider-plain", 0o755);
  mkdirSync(join(folder, "path", "cloudwright-provider-folder"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function program(path: string, mode: number): void {
  writeFileSync(join(folder, path), "#!/bin/sh\n");
  chmodSync(join(folder, path), mode);
}

function find(name: string): string | undefined {
  const path = `${join(folder, "missing")}::${join(folder, "path")}:${join(folder, "later")}`;
  return findExecutable(name, { folder: join(folder, "given"), path })?.slice(folder.length + 1);
}

it("searches --provider-path before the PATH", () => {
  expect(find("both")).toBe("given/cloudwright-provider-both");
});

it("skips files that are not executable", () => {
  expect(find("plain")).toBe("later/cloudwright-provider-plain");
  expect(find("folder")).toBeUndefined();
  expect(find("none")).toBeUndefined();
});

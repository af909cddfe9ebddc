import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { buildTestcluster } from "./build-testcluster.mjs";

let folder: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-harness-"));
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function build(env: Record<string, string> = {}): unknown {
  const say = (line: string) => said.push(line);
  return buildTestcluster({ env: { CLOUDWRIGHT_TESTCLUSTER: folder, ...env }, say });
}

function harness(script: string): void {
  writeFileSync(join(folder, "build"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "build"), 0o755);
}

it("does nothing without a harness", () => {
  expect(build()).toEqual({});
  expect(said).toEqual([]);
});

it("does not change the tests if the harness is built", () => {
  harness("exit 0");
  expect(build()).toEqual({});
  expect(said).toEqual([]);
});

it("lets the tests skip, and reports why, if it cannot be built", () => {
  harness("exit 127");
  expect(build()).toHaveProperty("CLOUDWRIGHT_TESTCLUSTER");
  expect(said).toEqual([
    "Tests of the real API server are skipped: its build ended with code 127.",
  ]);
});

it("refuses to continue without it if REQUIRE_REAL is set", () => {
  harness("exit 2");
  expect(() => build({ REQUIRE_REAL: "1" })).toThrow(
    "The real API server is asked for by REQUIRE_REAL=1, but its build ended with code 2.",
  );
});

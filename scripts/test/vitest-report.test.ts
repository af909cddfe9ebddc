import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "../lib/project.mjs";

it("reports errors outside the tests together with the tests", () => {
  const folder = mkdtempSync(join(tmpdir(), "cloudwright-report-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, "late.test.js"),
    'test("passes", () => void Promise.reject(new Error("connection lost")));',
  );
  const report = join(folder, "report.json");
  const { status } = spawnSync(process.execPath, [
    ...[inProject("node_modules/vitest/vitest.mjs"), "run", "--root", folder, "--globals"],
    ...[`--reporter=${inProject("scripts/test/vitest-report.mjs")}`, `--outputFile.json=${report}`],
  ]);
  expect(status).toBe(1);
  expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({
    numPassedTests: 1,
    numFailedTests: 0,
    unhandledErrors: [expect.stringContaining("connection lost")],
  });
});

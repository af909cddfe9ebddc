import { expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { countingLine, countsOf, countsOfPlaywright, countsOfVitest, sumOf } from "./count.mjs";

it.each([
  ["3 passed, 1 failed", { passed: 3, failed: 1, skipped: 0 }],
  [
    "noise\n1 passed, 0 failed\nmore\n2 passed, 0 failed, 5 skipped\n",
    { passed: 2, failed: 0, skipped: 5 },
  ],
  ["it ended with: 3 passed, 1 failed", undefined],
  ["", undefined],
])("reads the last counting line of %j", (output, counts) => {
  expect(countsOf(output)).toEqual(counts);
});

it("counts a test file that could not be loaded as a failure", () => {
  const report = {
    numPassedTests: 4,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 0,
    testResults: [
      { status: "failed", assertionResults: [] },
      { status: "failed", assertionResults: [{}] },
      { status: "passed", assertionResults: [{}] },
    ],
  };
  expect(countsOfVitest(report)).toEqual({ passed: 4, failed: 2, skipped: 2 });
});

it("counts what Playwright could not even start as failures", () => {
  const report = { stats: { expected: 5, flaky: 1, unexpected: 2, skipped: 3 }, errors: [{}] };
  expect(countsOfPlaywright(report)).toEqual({ passed: 6, failed: 3, skipped: 3 });
});

it("names skipped tests only when there are some", () => {
  const one = { passed: 1, failed: 0, skipped: 0 };
  expect(countingLine(sumOf([one, one]))).toBe("2 passed, 0 failed");
  expect(countingLine(sumOf([one, { ...one, skipped: 2 }]))).toBe("2 passed, 0 failed, 2 skipped");
});

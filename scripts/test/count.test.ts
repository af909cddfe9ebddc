import { expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import * as count from "./count.mjs";

const { countingLine, countsOf, countsOfPlaywright, countsOfVitest, sumOf } = count;
const { failuresOf, failuresOfPlaywright, failuresOfVitest } = count;

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

it("counts a file that could not be loaded, a hook that failed and an error outside every test as failures", () => {
  const report = {
    numPassedTests: 4,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 0,
    testResults: [
      { status: "failed", assertionResults: [] },
      { status: "failed", assertionResults: [{ status: "failed" }] },
      { status: "failed", assertionResults: [{ status: "passed" }] },
      { status: "passed", assertionResults: [{ status: "passed" }] },
    ],
    unhandledErrors: ["connection lost"],
  };
  expect(countsOfVitest(report)).toEqual({ passed: 4, failed: 4, skipped: 2 });
});

it("counts as failures what Playwright could not even start", () => {
  const report = { stats: { expected: 5, flaky: 1, unexpected: 2, skipped: 3 }, errors: [{}] };
  expect(countsOfPlaywright(report)).toEqual({ passed: 6, failed: 3, skipped: 3 });
});

it("mentions skipped tests only if there are any", () => {
  const one = { passed: 1, failed: 0, skipped: 0 };
  expect(countingLine(sumOf([one, one]))).toBe("2 passed, 0 failed");
  expect(countingLine(sumOf([one, { ...one, skipped: 2 }]))).toBe("2 passed, 0 failed, 2 skipped");
});

it("finds the lines in which a suite names its failures", () => {
  const output =
    "S-01 fail too slow\nfailed: S-01 too slow\n# it failed: at first\n0 passed, 1 failed\n";
  expect(failuresOf(output)).toEqual(["failed: S-01 too slow"]);
});

it("names each failed vitest test in one line without colours, and a file that could not be loaded", () => {
  const testResults = [
    {
      name: "/checkout/a.test.ts",
      status: "failed",
      message: "no such\nmodule",
      assertionResults: [],
    },
    {
      name: "/checkout/b.test.ts",
      status: "failed",
      message: "",
      assertionResults: [
        { status: "passed", fullName: "works", failureMessages: [] },
        {
          status: "failed",
          fullName: "counts",
          failureMessages: ["expected \u001b[31m1\u001b[39m\n  to be 2"],
        },
      ],
    },
    {
      name: "/checkout/c.test.ts",
      status: "failed",
      message: "Hook timed out",
      assertionResults: [{ status: "passed", fullName: "works", failureMessages: [] }],
    },
  ];
  const report = { testResults, unhandledErrors: ["Error: connection lost\n  at end"] };
  expect(failuresOfVitest(report, "/checkout")).toEqual([
    "failed: a.test.ts: no such module",
    "failed: b.test.ts > counts: expected 1 to be 2",
    "failed: c.test.ts: Hook timed out",
    "failed: outside every test: Error: connection lost at end",
  ]);
});

it("names each failed Playwright test with its last error, however deeply it is nested", () => {
  const failing = {
    file: "pages.spec.ts",
    title: "a page opens",
    ok: false,
    tests: [
      { results: [{ error: { message: "at first" } }, { error: { message: "in the end" } }] },
    ],
  };
  const passing = { ...failing, ok: true };
  const report = {
    suites: [{ specs: [passing], suites: [{ specs: [failing] }] }],
    errors: [{ message: "no browser" }],
  };
  expect(failuresOfPlaywright(report)).toEqual([
    "failed: pages.spec.ts > a page opens: in the end",
    "failed: Playwright: no browser",
  ]);
});

it("reports a failure without a message", () => {
  const spec = { file: "a.spec.ts", title: "opens", ok: false, tests: [{ results: [{}] }] };
  const reported = failuresOfPlaywright({ suites: [{ specs: [spec] }], errors: [] });
  expect(reported).toEqual(["failed: a.spec.ts > opens: it says no more"]);
});

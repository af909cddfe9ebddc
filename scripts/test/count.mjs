import { relative } from "node:path";

const COUNTS = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/;
const FAILED = "failed: ";
const LONGEST_MESSAGE = 300;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
const COLOURS = /\u001b\[[0-9;]*m/g;

/** Returns the counts of a suite's last counting line, or undefined if it printed none. */
export function countsOf(output) {
  const lines = output.split("\n").map((line) => line.trim());
  const match = lines.map((line) => COUNTS.exec(line)).findLast((found) => found !== null);
  if (match === undefined) return undefined;
  return { passed: Number(match[1]), failed: Number(match[2]), skipped: Number(match[3] ?? 0) };
}

/** Returns the counts of vitest's JSON report; a file that failed outside its tests is a failure, and so is each unhandled error. */
export function countsOfVitest(report) {
  const brokenFiles = report.testResults.filter(failedOutsideItsTests).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles + report.unhandledErrors.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Returns the counts of Playwright's JSON report; a test that passed at the second attempt has passed. */
export function countsOfPlaywright({ stats, errors }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  };
}

/** Returns the lines in which one of our suites names its failures, right before its counting line. */
export function failuresOf(output) {
  return output.split("\n").filter((line) => line.startsWith(FAILED));
}

/** The report contains absolute paths; `root` is their common prefix. */
export function failuresOfVitest({ testResults, unhandledErrors }, root) {
  const failed = testResults.flatMap((result) => {
    const file = relative(root, result.name);
    if (failedOutsideItsTests(result)) return [failure(file, result.message)];
    return result.assertionResults
      .filter((one) => one.status === "failed")
      .map((one) => failure(`${file} > ${one.fullName}`, one.failureMessages[0]));
  });
  return [...failed, ...unhandledErrors.map((error) => failure("outside every test", error))];
}

/** The file could not be loaded, or one of its hooks failed although its tests passed. */
function failedOutsideItsTests({ status, assertionResults }) {
  return status === "failed" && assertionResults.every((one) => one.status !== "failed");
}

export function failuresOfPlaywright({ suites, errors }) {
  const failed = suites.flatMap(specsOf).filter(({ ok }) => !ok);
  return [
    ...failed.map(({ file, title, tests }) => failure(`${file} > ${title}`, lastErrorOf(tests))),
    ...errors.map(({ message }) => failure("Playwright", message)),
  ];
}

function specsOf(suite) {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
}

function lastErrorOf(tests) {
  return tests.flatMap(({ results }) => results).findLast(({ error }) => error !== undefined)?.error
    .message;
}

/** Returns one line, as a CI log may only keep the end of the output. */
function failure(name, message = "it says no more") {
  const plain = message.replaceAll(COLOURS, "").replaceAll(/\s+/g, " ").trim();
  return `${FAILED}${name}: ${plain.slice(0, LONGEST_MESSAGE)}`;
}

export function sumOf(all) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const counts of all) {
    for (const kind of Object.keys(sum)) sum[kind] += counts[kind];
  }
  return sum;
}

export function countingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}

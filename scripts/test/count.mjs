const COUNTS = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/;

/** The counts of a suite's last counting line, or undefined when it never came to one. */
export function countsOf(output) {
  const lines = output.split("\n").map((line) => line.trim());
  const match = lines.map((line) => COUNTS.exec(line)).findLast((found) => found !== null);
  if (match === undefined) return undefined;
  return { passed: Number(match[1]), failed: Number(match[2]), skipped: Number(match[3] ?? 0) };
}

/** The counts of vitest's JSON report; a file that could not even be loaded is a failure. */
export function countsOfVitest(report) {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** The counts of Playwright's JSON report; what passed at the second try has passed. */
export function countsOfPlaywright({ stats, errors }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  };
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

import { expect, test } from "vitest";
import { exitCodeOfFindings, type Finding, someOf } from "./finding.ts";
import { FINDING_PRINTERS } from "./print-findings.ts";

const OK: Finding = { topic: "cloud", verdict: "ok", says: "All is well." };
const WARNING: Finding = {
  topic: "ranges",
  verdict: "warning",
  says: "It is odd.",
  advice: "Look.",
};
const PROBLEM: Finding = {
  topic: "cluster",
  verdict: "problem",
  says: "It fails.",
  advice: "Mend it.",
};
const UNKNOWN: Finding = { topic: "nodes", verdict: "unknown", says: "Not seen.", advice: "Ask." };

test.each([
  [[], 0],
  [[OK], 0],
  [[OK, WARNING], 2],
  [[OK, UNKNOWN], 2],
  [[WARNING, PROBLEM, OK], 1],
])("the findings %j end with %i", (findings, code) => {
  expect(exitCodeOfFindings(findings)).toBe(code);
});

test.each([
  [["a"], "a"],
  [["a", "b", "c"], "a, b, c"],
  [["a", "b", "c", "d", "e"], "a, b, c and 2 more"],
])("%j is named as %s", (names, text) => {
  expect(someOf(names)).toBe(text);
});

const DIAGNOSIS = {
  server: "https://10.0.0.1:6443",
  provider: "lab",
  atMs: 0,
  findings: [OK, WARNING, PROBLEM, UNKNOWN],
};

test("the text has a heading for each topic in the order of examination, the advice below its finding, and a summary", () => {
  expect(
    FINDING_PRINTERS.text(DIAGNOSIS),
  ).toBe(`Cluster at https://10.0.0.1:6443, provider lab, 1970-01-01T00:00:00.000Z

Cluster
  problem  It fails.
           Mend it.

Pod ranges
  warning  It is odd.
           Look.

Nodes and taints
  unknown  Not seen.
           Ask.

Cloud
  ok       All is well.

1 problem, 1 warning, 1 not examined, 1 in order.
`);
});

test("the JSON holds every finding and the exit code", () => {
  const { version, exitCode, findings } = JSON.parse(FINDING_PRINTERS.json(DIAGNOSIS));
  expect({ version, exitCode, findings }).toEqual({
    version: 1,
    exitCode: 1,
    findings: DIAGNOSIS.findings,
  });
});

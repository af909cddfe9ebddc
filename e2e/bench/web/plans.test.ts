import { expect, it } from "vitest";
import { slowestPlan } from "./plans.ts";

const entry = (ms: string, table: string) =>
  [
    `2026-11-28 08:00:00.000 UTC [77] LOG:  duration: ${ms} ms  plan:`,
    `\tQuery Text: SELECT count(*)`,
    `\t  FROM ${table}`,
    `\tSeq Scan on ${table}  (cost=0.00..1.00 rows=1 width=4)`,
    "",
  ].join("\n");

it("is that of the longest logged statement", () => {
  const other = "2026-11-28 08:00:00.000 UTC [77] LOG:  checkpoint starting: time\n";
  const log = [entry("12.5", "nodes"), entry("110.0", "runs"), other, entry("9.9", "routes")].join(
    "",
  );
  expect(slowestPlan(log)).toBe(
    [
      "110.0 ms",
      "Query Text: SELECT count(*)",
      "  FROM runs",
      "Seq Scan on runs  (cost=0.00..1.00 rows=1 width=4)",
    ].join("\n"),
  );
});

it("is shortened if it is long, and missing if nothing was slow", () => {
  const long = entry("20", "runs") + "\t-> more\n".repeat(40);
  expect(slowestPlan(long)?.split("\n").at(-1)).toBe("… and 13 more lines");
  expect(slowestPlan("LOG:  checkpoint starting: time\n")).toBeUndefined();
});

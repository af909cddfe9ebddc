import { describe, expect, test } from "vitest";
import { auditEntry, CLUSTER, runEnd } from "../../../testing/records.ts";
import { useDatabase, useTestServer } from "../../../testing/suite-database.ts";
import type { RunsFilter } from "../../views/views.ts";
import { runStretches } from "../runs/run-counts.ts";
import { auditHistogram, runsHistogram } from "./time-histogram.ts";

const server = useTestServer();

const TIMES = [1_000, 1_999, 2_000, 4_500, 4_999];

describe("how many rows fall into each part of a time span", () => {
  const database = useDatabase(server, () => [
    ...TIMES.map((at) => auditEntry({ at, result: at === 4_500 ? "failed" : "applied" })),
    ...TIMES.map((startedAt) =>
      runEnd({ startedAt, outcome: startedAt === 4_500 ? "failed" : "changed" }),
    ),
  ]);
  const input = { cluster: CLUSTER, now: 5_000, parts: 4 };
  const both = (filter: { from?: number; to?: number }) =>
    Promise.all([
      auditHistogram(database.db, { ...input, filter }),
      runsHistogram(database.db, { ...input, filter }),
    ]);

  test.each([
    [
      { from: 1_000, to: 5_000 },
      { from: 1_000, to: 5_000, counts: [2, 1, 0, 2] },
    ],
    [
      { from: 1_000, to: 3_000 },
      { from: 1_000, to: 3_000, counts: [1, 1, 1, 0] },
    ],
    [
      { from: 1_200, to: 5_000 },
      { from: 1_000, to: 5_000, counts: [1, 1, 0, 2] },
    ],
    [{}, { from: 1_000, to: 5_000, counts: [2, 1, 0, 2] }],
    [{ from: 4_000 }, { from: 4_000, to: 5_000, counts: [0, 2] }],
    [
      { from: 6_000, to: 7_000 },
      { from: 6_000, to: 7_000, counts: [0, 0] },
    ],
  ])("of %j", async (filter, histogram) => {
    expect(await both(filter)).toEqual([histogram, histogram]);
  });

  test("of the rows that a filter selects", async () => {
    const failed = { from: 4_400, to: 5_000, counts: [1, 0, 0] };
    expect(await auditHistogram(database.db, { ...input, filter: { result: "failed" } })).toEqual(
      failed,
    );
    expect(
      await runsHistogram(database.db, { ...input, filter: { outcomes: ["failed"] } }),
    ).toEqual(failed);
  });

  test("is refused with an unreasonable number of parts", async () => {
    const requested = auditHistogram(database.db, { ...input, parts: 1_000, filter: {} });
    await expect(requested).rejects.toMatchObject({ code: "Invalid" });
  });
});

const DAY_MS = 86_400_000;
const END = Date.UTC(2026, 10, 20, 9, 41, 7, 13);

/** Returns runs of three days at individual times, some of them in the first and the last minutes. */
function runsOfThreeDays() {
  const outcomes = ["changed", "failed", "unchanged"] as const;
  return Array.from({ length: 300 }, (_, number) => {
    const back = number < 20 ? number * 9_000 : (number * 7_919 * 131) % (3 * DAY_MS);
    return runEnd({ startedAt: END - 1 - back, outcome: outcomes[number % 3] ?? "changed" });
  });
}

describe("of many runs", () => {
  const database = useDatabase(server, runsOfThreeDays);
  const counted = async (filter: RunsFilter, length: number) => {
    const from = END - length;
    const input = { cluster: CLUSTER, now: END, parts: 60 };
    return runsHistogram(database.db, { ...input, filter: { ...filter, from, to: END } });
  };

  test.each([
    ["ten minutes", 10 * 60_000],
    ["three hours", 3 * 3_600_000 + 12_345],
    ["a day", DAY_MS],
    ["three days", 3 * DAY_MS],
  ])("the numbers that are kept say of %s what the runs say", async (_name, length) => {
    // No stored counts distinguish runs by their calls, so these are counted one by one.
    const oneByOne = await counted({ minCalls: 0 }, length);
    expect(await counted({}, length)).toEqual(oneByOne);
    expect(oneByOne.counts.reduce((sum, count) => sum + count)).toBeGreaterThan(20);
    const failed = await counted({ outcomes: ["failed"], minCalls: 0 }, length);
    expect(await counted({ outcomes: ["failed"] }, length)).toEqual(failed);
    const others = await counted({ not: { outcomes: ["failed"] }, minCalls: 0 }, length);
    expect(await counted({ not: { outcomes: ["failed"] } }, length)).toEqual(others);
  });

  test("are counted without reading them", () => {
    const stretch = { from: END - 3 * DAY_MS, to: END, width: 3_600_000 };
    const read = runStretches({ triggers: ["retry"] }, stretch).filter(
      ({ rows }) => rows.table === "runs",
    );
    expect(read.every(({ from, to }) => to - from < 60_000)).toBe(true);
    expect(runStretches({ reason: "Initialised" }, stretch)).toMatchObject([
      { rows: { table: "runs" }, from: stretch.from, to: stretch.to },
    ]);
  });
});

import { describe, expect, test } from "vitest";
import { auditEntry, CLUSTER, runEnd } from "../../testing/records.ts";
import { useDatabase, useTestServer } from "../../testing/suite-database.ts";
import { auditHistogram, runsHistogram } from "./time-histogram.ts";

const server = useTestServer();

const TIMES = [1_000, 1_999, 2_000, 4_500, 4_999];

describe("how many fall into each part of a time", () => {
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
    [{}, { from: 1_000, to: 5_000, counts: [2, 1, 0, 2] }],
    [{ from: 4_000 }, { from: 4_000, to: 5_000, counts: [0, 0, 1, 1] }],
    [
      { from: 6_000, to: 7_000 },
      { from: 6_000, to: 7_000, counts: [0, 0, 0, 0] },
    ],
  ])("of %j", async (filter, histogram) => {
    expect(await both(filter)).toEqual([histogram, histogram]);
  });

  test("of what a filter selects alone", async () => {
    const failed = { from: 4_500, to: 5_000, counts: [1, 0, 0, 0] };
    expect(await auditHistogram(database.db, { ...input, filter: { result: "failed" } })).toEqual(
      failed,
    );
    expect(
      await runsHistogram(database.db, { ...input, filter: { outcomes: ["failed"] } }),
    ).toEqual(failed);
  });

  test("is refused with a number of parts that nobody could look at", async () => {
    const requested = auditHistogram(database.db, { ...input, parts: 1_000, filter: {} });
    await expect(requested).rejects.toMatchObject({ code: "Invalid" });
  });
});

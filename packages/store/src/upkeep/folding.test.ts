import type { EmittedEvent } from "@cloudwright/core/model/run";
import { describe, expect, test } from "vitest";
import { CLUSTER, newId, runEnd, runStart, step } from "../../testing/records.ts";
import { testLedger } from "../../testing/test-ledger.ts";
import { runIdsOf, tidyAtOnce } from "../../testing/tidy-ledger.ts";
import { listRuns, runDetail } from "../queries/runs/runs.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const ledger = testLedger();
/** A past hour, so that its runs are folded. */
const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS;

const SYNCED: EmittedEvent = {
  ...{ type: "Normal", reason: "Synced", message: "It was initialised", offsetMs: 1 },
  target: { kind: "Node", name: "w-1" },
};

function unchanged(over: Parameters<typeof runEnd>[0]) {
  return runEnd({
    outcome: "unchanged",
    reason: { code: "InStep" },
    changes: [],
    applied: 0,
    steps: [step("cloud")],
    ...over,
  });
}

describe("folding", () => {
  test("keeps the last of an object's equal unchanged runs of an hour, with their number and the longest duration", async () => {
    const runs = [5, 10, 15].map((minute) =>
      unchanged({ startedAt: hour + minute * 60_000, durationMs: 100 - minute }),
    );
    await ledger.write(...runs);
    expect(await tidyAtOnce(ledger)).toMatchObject({ foldedRuns: 2 });
    const page = await listRuns(ledger.db, allRuns());
    expect(page).toMatchObject({ total: { kind: "exact", count: 1 } });
    expect(page.rows).toMatchObject([
      { id: runs[2]?.id, folded: 3, foldedFrom: hour + 300_000, foldedMaxMs: 95, durationMs: 85 },
    ]);
  });

  test("does not fold runs that differ or did more than find nothing to change", async () => {
    const at = hour + 60_000;
    const kept = [
      unchanged({ startedAt: at }),
      unchanged({ startedAt: at + 1, object: { kind: "Node", name: "w-2", uid: "uid-w-2" } }),
      unchanged({ startedAt: at + 2, controller: "cloud-node-lifecycle-controller" }),
      unchanged({ startedAt: at + 3, reason: { code: "Initialised" } }),
      unchanged({ startedAt: at + 4, dryRun: true }),
      unchanged({
        startedAt: at + 5,
        trigger: { kind: "intent", intentId: newId(), actor: "ana" },
      }),
      unchanged({ startedAt: at + 6, outcome: "waiting" }),
      unchanged({ startedAt: at + 9, events: [SYNCED] }),
      unchanged({ startedAt: at + 10, events: [SYNCED] }),
      unchanged({ startedAt: at + 7, cluster: "another" }),
      unchanged({ startedAt: at + HOUR_MS }),
      unchanged({ startedAt: Date.now() }),
      runEnd({ startedAt: at + 8 }),
    ];
    await ledger.write(...kept);
    expect(await tidyAtOnce(ledger)).toMatchObject({ foldedRuns: 0 });
    expect(await runIdsOf(ledger)).toHaveLength(kept.length);
  });

  test("counts a run once, however often it is drained and folded, and includes late ones", async () => {
    const runs = [5, 10, 15].map((minute) => unchanged({ startedAt: hour + minute * 60_000 }));
    await ledger.write(...runs);
    await tidyAtOnce(ledger);
    await ledger.write(...runs);
    expect(await runIdsOf(ledger)).toHaveLength(1);
    const late = [7, 20].map((minute) => unchanged({ startedAt: hour + minute * 60_000 }));
    await ledger.write(...late, ...runs);
    await tidyAtOnce(ledger);
    await ledger.write(...late, ...runs);
    await tidyAtOnce(ledger);
    const page = await listRuns(ledger.db, allRuns());
    expect(page.rows).toMatchObject([{ id: late[1]?.id, folded: 5, foldedFrom: hour + 300_000 }]);
  });

  test("finds the run that stands for a folded one", async () => {
    const runs = [5, 10].map((minute) => unchanged({ startedAt: hour + minute * 60_000 }));
    await ledger.write(...runs);
    await tidyAtOnce(ledger);
    const detail = await runDetail(ledger.db, { cluster: CLUSTER, id: runs[0]?.id ?? "" });
    expect(detail.row).toMatchObject({ id: runs[1]?.id, folded: 2 });
  });

  function allRuns() {
    return {
      cluster: CLUSTER,
      filter: {},
      sort: { by: "started", descending: true },
      limit: 50,
    } as const;
  }
});

describe("the numbers of runs by minute and hour", () => {
  test("follow runs as they begin, end, are folded and dropped", async () => {
    const old = unchanged({ startedAt: hour - 40 * DAY_MS });
    const begun = runStart({ startedAt: hour + 60_000 });
    const folded = [5, 5, 6].map((minute) => unchanged({ startedAt: hour + minute * 60_000 }));
    await ledger.write(old, begun, ...folded);
    expect(await kept("minute")).toEqual([
      [hour - 40 * DAY_MS, "unchanged", 1],
      [hour + 60_000, "running", 1],
      [hour + 300_000, "unchanged", 2],
      [hour + 360_000, "unchanged", 1],
    ]);
    await ledger.write(runEnd({ id: begun.id, startedAt: begun.startedAt, outcome: "failed" }));
    await tidyAtOnce(ledger);
    expect(await kept("minute")).toEqual([
      [hour + 60_000, "failed", 1],
      [hour + 360_000, "unchanged", 1],
    ]);
    expect(await kept("hour")).toEqual([
      [hour, "failed", 1],
      [hour, "unchanged", 1],
    ]);
  });

  async function kept(step: "minute" | "hour") {
    const rows = await ledger.db.prisma.runCount.findMany({
      where: { step, runs: { not: 0 } },
      orderBy: [{ at: "asc" }, { outcome: "asc" }],
    });
    return rows.map(({ at, outcome, runs }) => [at.getTime(), outcome, runs]);
  }
});

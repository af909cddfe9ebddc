import { describe, expect, test } from "vitest";
import { budgetMinute, controllerUse, operation } from "../../../testing/budget-records.ts";
import { CLUSTER, objectState } from "../../../testing/records.ts";
import { testLedger } from "../../../testing/test-ledger.ts";
import { budget, STRETCH_MOST_MS } from "./budget.ts";

const ledger = testLedger();

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 22, 14, 7, 30);
const THIS_MINUTE = Date.UTC(2026, 10, 22, 14, 7);

function ask(range: "hour" | "day" = "hour", cluster = CLUSTER) {
  return budget(ledger.db, { cluster, range, now: NOW });
}

describe("the last hour", () => {
  test("has each of its minutes, even those without a record", async () => {
    await ledger.write(
      budgetMinute(THIS_MINUTE - 2 * MINUTE, 7),
      budgetMinute(THIS_MINUTE - MINUTE, 0),
      budgetMinute(THIS_MINUTE - 90 * MINUTE, 99),
    );
    const view = await ask();
    expect(view).toMatchObject({
      from: THIS_MINUTE - 59 * MINUTE,
      to: THIS_MINUTE + MINUTE,
      bucketMs: MINUTE,
      minutesKnown: 2,
      isDryRun: false,
    });
    expect(view.cloud.buckets).toHaveLength(60);
    expect(view.cloud.buckets.slice(-4).map(({ use }) => use?.calls)).toEqual([
      ...[undefined, 7, 0, undefined],
    ]);
    expect(view.kube.buckets.at(-2)?.use).toEqual({
      calls: 2,
      throttled: 0,
      callsPerMinute: 2,
      limitPerMinute: 30_000,
      share: 2 / 30_000,
    });
  });

  test("sums up by operation, with the time that 95 % of the calls did not exceed", async () => {
    const slow = [
      operation({ calls: 1, throttled: 1, waitMs: 900, durations: [0, 0, 0, 0, 0, 1] }),
    ];
    await ledger.write(
      budgetMinute(THIS_MINUTE - 2 * MINUTE, 19),
      budgetMinute(THIS_MINUTE - MINUTE, 0, {
        cloud: { operations: slow, priorities: [], lookups: [] },
      }),
    );
    const { cloud } = await ask();
    expect(cloud.operations).toEqual([
      {
        ...operation({ calls: 20, throttled: 1, waitMs: 900 }),
        durations: undefined,
        p95Ms: 25,
      },
    ]);
  });

  test("counts both leaders of a minute in which one followed the other", async () => {
    await ledger.write(
      budgetMinute(THIS_MINUTE, 3),
      budgetMinute(THIS_MINUTE, 4, { instance: "ctl-2" }),
    );
    const view = await ask();
    expect(view.minutesKnown).toBe(1);
    expect(view.cloud.buckets.at(-1)?.use?.calls).toBe(7);
  });

  test("shows a dry run only where nobody acts", async () => {
    await ledger.write(budgetMinute(THIS_MINUTE, 3, { instance: "ctl-dry", dryRun: true }));
    expect(await ask()).toMatchObject({ isDryRun: true, minutesKnown: 1 });
    await ledger.write(budgetMinute(THIS_MINUTE - MINUTE, 5));
    const view = await ask();
    expect(view.isDryRun).toBe(false);
    expect(view.cloud.operations).toMatchObject([{ calls: 5 }]);
  });

  test("is empty where nothing was written", async () => {
    const view = await ask("hour", "another");
    expect(view.minutesKnown).toBe(0);
    expect(view.cloud.operations).toEqual([]);
    expect(view.cloud.buckets.every(({ use }) => use === undefined)).toBe(true);
  });

  test("says the same when it is drained twice", async () => {
    await ledger.write(budgetMinute(THIS_MINUTE, 3));
    await ledger.write(budgetMinute(THIS_MINUTE, 3));
    expect((await ask()).cloud.buckets.at(-1)?.use?.calls).toBe(3);
  });
});

describe("the last day", () => {
  test("has quarters of an hour with their busiest minute and the least that was allowed", async () => {
    const limited = (at: number, calls: number, limitPerMinute: number) =>
      budgetMinute(at, calls, {
        cloud: { limitPerMinute, operations: [operation({ calls })], priorities: [], lookups: [] },
      });
    await ledger.write(
      limited(THIS_MINUTE - 4 * MINUTE, 90, 100),
      limited(THIS_MINUTE - 3 * MINUTE, 120, 240),
      budgetMinute(THIS_MINUTE - 2 * MINUTE, 10),
    );
    const view = await ask("day");
    expect(view.cloud.buckets).toHaveLength(96);
    expect(view.cloud.buckets.at(-1)).toEqual({
      at: Date.UTC(2026, 10, 22, 14),
      until: Date.UTC(2026, 10, 22, 14, 15),
      use: { calls: 220, throttled: 0, callsPerMinute: 120, limitPerMinute: 100, share: 0.9 },
    });
  });
});

describe("a stretch of time of one's own", () => {
  const stretch = (from: number, to: number) =>
    budget(ledger.db, { cluster: CLUSTER, range: "hour", from, to, now: NOW });

  test("is shown in whole buckets around it, with nothing of before or after", async () => {
    const from = THIS_MINUTE - 300 * MINUTE;
    await ledger.write(
      budgetMinute(from - MINUTE, 99),
      budgetMinute(from, 7),
      budgetMinute(from + 9 * MINUTE, 3),
      budgetMinute(from + 10 * MINUTE, 99),
    );
    const view = await stretch(from + 1, from + 10 * MINUTE - 1);
    expect(view).toMatchObject({ from, to: from + 10 * MINUTE, bucketMs: MINUTE, minutesKnown: 2 });
    expect(view.cloud.buckets).toHaveLength(10);
    expect(view.cloud.buckets.flatMap(({ use }) => use?.calls ?? [])).toEqual([7, 3]);
  });

  test.each([
    [60, 1],
    [97, 2],
    [8 * 60, 5],
    [24 * 60, 15],
    [3 * 1_440, 60],
  ])("of %i minutes has buckets of %i", async (minutes, bucket) => {
    const { bucketMs } = await stretch(NOW - minutes * MINUTE, NOW);
    expect(bucketMs / MINUTE).toBe(bucket);
  });

  test("that is longer than there is room for is shown from later on", async () => {
    const view = await stretch(0, THIS_MINUTE);
    expect(view.from).toBeGreaterThanOrEqual(THIS_MINUTE - STRETCH_MOST_MS - 60 * MINUTE);
  });

  test("that ends before it begins is none", async () => {
    expect((await stretch(NOW, NOW - 1)).to).toBe(THIS_MINUTE + MINUTE);
  });
});

describe("what it costs", () => {
  test("to look at everything follows from the periodic looks and the size of the fleet", async () => {
    await ledger.write(
      ...["w-1", "w-2", "w-3"].map((name) => objectState({ name })),
      objectState({ name: "w-gone", state: "gone" }),
      budgetMinute(THIS_MINUTE, 1, {
        controllers: [
          controllerUse({ periodRuns: 4, periodCloudCalls: 2 }),
          controllerUse({ controller: "cloud-node-lifecycle-controller", periodRuns: 9 }),
        ],
      }),
    );
    const view = await ask();
    expect(view.resync).toEqual([{ controller: "cloud-node-controller", objects: 3, calls: 2 }]);
    expect(view.controllers).toMatchObject([{ runs: 4, cloudCalls: 1 }, { runs: 4 }]);
  });

  test("in waiting: who waited longest, and what waits now", async () => {
    const request = (name: string, waitMs: number) => ({
      controller: "cloud-node-controller" as const,
      object: { kind: "Node" as const, name },
      runId: "01890a5d-ac96-774b-bcce-b302099a8057",
      at: NOW,
      waitMs,
    });
    const throttled = {
      code: "ProviderThrottled",
      provider: "sandbox",
      operation: "GET /v1/instances",
    } as const;
    await ledger.write(
      budgetMinute(THIS_MINUTE - MINUTE, 1, { waiters: [request("w-1", 200)] }),
      budgetMinute(THIS_MINUTE, 1, { waiters: [request("w-2", 4_000), request("w-3", 150)] }),
      objectState({ name: "w-8", state: "waiting", reason: throttled, nextAt: NOW + 5_000 }),
      objectState({ name: "w-9", state: "ok" }),
    );
    const view = await ask();
    expect(view.waiters.map(({ object }) => object.name)).toEqual(["w-2", "w-1", "w-3"]);
    expect(view.deferred).toEqual({
      count: 1,
      oldest: [{ kind: "Node", name: "w-8", nextAt: NOW + 5_000 }],
    });
  });
});

import { describe, expect, test } from "vitest";
import { allPages, runsInput } from "../../../testing/list-inputs.ts";
import { CLUSTER, runEnd, runStart, step } from "../../../testing/records.ts";
import { useDatabase, useTestServer } from "../../../testing/suite-database.ts";
import type { RunsFilter } from "../../views/views.ts";
import { listRuns, runDetail } from "./runs.ts";

const server = useTestServer();

const BUSY = "7F3A9c10-0000-4000-8000-00000000000a";
/** Another id with the same key. */
const CALM = "7f3a9c10-0000-4000-8000-00000000000b";

const RUNS = [
  runEnd({ startedAt: 1_000, outcome: "changed" }),
  runEnd({
    startedAt: 2_000,
    outcome: "failed",
    reason: { code: "ProviderThrottled", provider: "sandbox", operation: "list", requestId: BUSY },
    object: { kind: "Node", name: "w-22" },
    trigger: { kind: "retry" },
  }),
  runEnd({
    startedAt: 3_000,
    controller: "service-lb-controller",
    object: { kind: "Service", namespace: "shop", name: "web" },
    outcome: "unchanged",
    steps: [],
  }),
  runStart({ startedAt: 4_000, object: { kind: "Node", name: "x_1" } }),
  runEnd({
    startedAt: 5_000,
    outcome: "blocked",
    object: { kind: "Node", name: "xa1" },
    steps: [step("cloud"), { ...step("cloud"), requestId: CALM }],
  }),
] as const;

describe("the runs of a cluster", () => {
  const database = useDatabase(server, () => RUNS);

  test.each<{ filter: RunsFilter; times: number[] }>([
    { filter: {}, times: [5, 4, 3, 2, 1] },
    { filter: { controller: "service-lb-controller" }, times: [3] },
    { filter: { outcomes: ["failed"] }, times: [2] },
    { filter: { outcomes: ["failed", "blocked"] }, times: [5, 2] },
    { filter: { outcomes: ["running"] }, times: [4] },
    { filter: { key: "w-1" }, times: [1] },
    { filter: { key: "w-*" }, times: [2, 1] },
    { filter: { key: "*eb" }, times: [3] },
    { filter: { key: "shop/web" }, times: [3] },
    { filter: { key: "other/web" }, times: [] },
    { filter: { key: "x_*" }, times: [4] },
    { filter: { reason: "ProviderThrottled" }, times: [2] },
    { filter: { triggers: ["retry"] }, times: [2] },
    { filter: { minCalls: 1 }, times: [5, 2, 1] },
    { filter: { operation: "GET /v1/instances" }, times: [5, 2, 1] },
    { filter: { operation: "GET /v1" }, times: [] },
    { filter: { not: { operation: "PATCH nodes" } }, times: [5, 4, 3] },
    { filter: { requestId: BUSY.toLowerCase() }, times: [2] },
    { filter: { requestId: CALM.toUpperCase() }, times: [5] },
    { filter: { requestId: "7f3a9c10" }, times: [5, 2] },
    { filter: { requestId: "7f3a9c10-0000-4000-8000-00000000000b" }, times: [5] },
    { filter: { requestId: "7f3a9c10-%" }, times: [] },
    { filter: { requestId: "7f3a9c1" }, times: [] },
    { filter: { requestId: "req-1" }, times: [5, 2, 1] },
    { filter: { not: { requestId: "7f3a9c10" } }, times: [4, 3, 1] },
    { filter: { from: 2_000, to: 4_000 }, times: [3, 2] },
    { filter: { not: { outcomes: ["changed", "unchanged"] } }, times: [5, 4, 2] },
    { filter: { not: { reason: "ProviderThrottled" } }, times: [5, 4, 3, 1] },
    { filter: { not: { triggers: ["retry"] } }, times: [5, 4, 3, 1] },
    {
      filter: { outcomes: ["failed", "changed"], not: { outcomes: ["changed"] } },
      times: [2],
    },
    { filter: { key: "w-*", not: { key: "w-1" } }, times: [2] },
  ])("filtered by $filter are those of second $times", async ({ filter, times }) => {
    const page = await listRuns(database.db, runsInput(filter));
    expect(page.rows.map((row) => row.startedAt / 1_000)).toEqual(times);
    expect(page.total).toEqual({ kind: "exact", count: times.length });
    const singly = await allPages((cursor) =>
      listRuns(database.db, { ...runsInput(filter), limit: 1, cursor }),
    );
    expect(singly).toEqual(page.rows);
  });

  test("come in a first page of as many as are asked for, and then in pages of the other size", async () => {
    const sizes: number[] = [];
    const all = await allPages(async (cursor) => {
      const page = await listRuns(database.db, { ...runsInput({}), first: 1, limit: 3, cursor });
      sizes.push(page.rows.length);
      return page;
    });
    expect(sizes).toEqual([1, 3, 1]);
    expect(all.map((row) => row.startedAt / 1_000)).toEqual([5, 4, 3, 2, 1]);
  });

  test("are refused for a first page of no row or of too many", async () => {
    for (const first of [0, 201])
      await expect(listRuns(database.db, { ...runsInput({}), first })).rejects.toMatchObject({
        code: "Invalid",
      });
  });

  test("carry what the list shows", async () => {
    const page = await listRuns(database.db, runsInput({ key: "shop/web" }));
    expect(page.rows).toEqual([
      {
        id: RUNS[2].id,
        controller: "service-lb-controller",
        object: { kind: "Service", namespace: "shop", name: "web", uid: undefined },
        trigger: { kind: "change", what: "added" },
        attempt: 1,
        outcome: "unchanged",
        reason: { code: "Initialised" },
        startedAt: 3_000,
        queuedMs: 3,
        durationMs: 42,
        cloudCalls: 0,
        kubeCalls: 0,
        changes: 1,
        dryRun: false,
        folded: 1,
      },
    ]);
  });
});

describe("one run", () => {
  const database = useDatabase(server);

  test("comes back whole, with its neighbours of the same object", async () => {
    const [first, second, third] = [1_000, 2_000, 3_000].map((startedAt) => runEnd({ startedAt }));
    await database.write(
      ...[first, second, third].filter((run) => run !== undefined),
      ...RUNS.slice(1),
    );
    const detail = await runDetail(database.db, { cluster: CLUSTER, id: second?.id ?? "" });
    expect(detail).toMatchObject({
      end: second,
      changes: second?.changes,
      previousId: first?.id,
      nextId: third?.id,
      intent: undefined,
    });
  });

  test.each(["01a1fce1-92b9-75d4-bcb2-41422413f4ec", "nonsense"])(
    "that is not there is not found: %s",
    async (id) => {
      await expect(runDetail(database.db, { cluster: CLUSTER, id })).rejects.toMatchObject({
        code: "NotFound",
      });
    },
  );

  test("that was interrupted has no end", async () => {
    const start = runStart();
    await database.write(
      start,
      runEnd({ ...start, type: "run.end", outcome: "interrupted", steps: [] }),
    );
    const detail = await runDetail(database.db, { cluster: CLUSTER, id: start.id });
    expect(detail).toMatchObject({ end: undefined, row: { outcome: "interrupted" } });
  });
});

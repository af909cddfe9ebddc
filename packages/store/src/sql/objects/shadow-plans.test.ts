import type { RunEnd } from "@cloudwright/core/model/run";
import { describe, expect, test } from "vitest";
import { CLUSTER, heartbeat, newId, objectState, runEnd } from "../../../testing/records.ts";
import { testLedger } from "../../../testing/test-ledger.ts";
import { listNodes } from "../../queries/objects/object-view.ts";
import { clusterById } from "../../queries/overview/clusters.ts";
import type { ShadowFilter, ShadowSort } from "../../views/shadow.ts";
import type { ListInput } from "../../views/views.ts";
import { pendingOfShadow } from "./shadow-plans.ts";

const ledger = testLedger();

function input(
  filter: ShadowFilter = {},
  over: Partial<ListInput<ShadowFilter, ShadowSort>> = {},
): ListInput<ShadowFilter, ShadowSort> {
  const sort = { by: "object", descending: false } as const;
  return { cluster: CLUSTER, filter, sort, limit: 50, ...over };
}

const AT = Date.now() - 60_000;

/** Returns a dry run of a node that would initialise it. */
function dryRun(name: string, over: Partial<RunEnd> = {}): RunEnd {
  const startedAt = over.startedAt ?? AT;
  return runEnd({
    id: newId(startedAt),
    startedAt,
    dryRun: true,
    outcome: "unchanged",
    applied: 0,
    object: { kind: "Node", name, uid: `uid-${name}` },
    ...over,
  });
}

const IN_SYNC = { changes: [], reason: { code: "InStep" } } as const;
const HELD = {
  changes: [],
  outcome: "blocked",
  reason: {
    code: "DeletionGuardHeld",
    provider: "sandbox",
    providerID: "sandbox://z1/w-3",
    deleted: 5,
    limit: 5,
    windowMs: 600_000,
    held: 1,
  },
} as const satisfies Partial<RunEnd>;

describe("what a dry run would do", () => {
  test("is the newest run of each object and controller, in whatever order they arrive", async () => {
    const newer = dryRun("w-1", { startedAt: AT + 5_000 });
    await ledger.write(newer, dryRun("w-1", IN_SYNC));
    await ledger.write(dryRun("w-1", { ...IN_SYNC, startedAt: AT + 1_000 }));
    const page = await pendingOfShadow(ledger.db, input());
    expect(page.rows).toMatchObject([
      {
        controller: "cloud-node-controller",
        object: { kind: "Node", name: "w-1", uid: "uid-w-1" },
        runId: newer.id,
        at: newer.startedAt + newer.durationMs,
        outcome: "unchanged",
        changes: newer.changes,
        next: newer.next,
      },
    ]);
    await ledger.write(dryRun("w-1", { ...IN_SYNC, startedAt: AT + 9_000 }));
    expect((await pendingOfShadow(ledger.db, input())).rows).toEqual([]);
  });

  test("is distinguished: what would change, what would stay, and everything observed", async () => {
    await ledger.write(
      dryRun("w-2"),
      dryRun("w-1"),
      dryRun("w-1", { ...IN_SYNC, controller: "cloud-node-lifecycle-controller" }),
      dryRun("w-3", HELD),
      dryRun("w-4", { ...IN_SYNC, reason: { code: "ObjectGone" } }),
      dryRun("w-5", { ...IN_SYNC, outcome: "interrupted", reason: { code: "RunInterrupted" } }),
      runEnd({ object: { kind: "Node", name: "w-6" } }),
    );
    const names = async (filter: ShadowFilter) =>
      (await pendingOfShadow(ledger.db, input(filter))).rows.map(({ object }) => object.name);
    expect(await names({})).toEqual(["w-1", "w-2"]);
    expect(await names({ show: "stopped" })).toEqual(["w-3"]);
    expect(await names({ show: "all" })).toEqual(["w-1", "w-2", "w-3", "w-1"]);
    expect(await names({ show: "all", text: "W-2" })).toEqual(["w-2"]);
    expect(await names({ show: "all", controller: "cloud-node-lifecycle-controller" })).toEqual([
      "w-1",
    ]);
    const { counts } = await pendingOfShadow(ledger.db, input({ text: "nothing" }));
    expect(counts).toEqual({ all: 4, changes: 2, stopped: 1 });
  });

  test("comes in pages", async () => {
    await ledger.write(...["w-1", "w-2", "w-10"].map((name) => dryRun(name)));
    const first = await pendingOfShadow(ledger.db, input({}, { limit: 2 }));
    expect(first.total).toEqual({ kind: "exact", count: 3 });
    const second = await pendingOfShadow(
      ledger.db,
      input({}, { limit: 2, cursor: first.nextCursor }),
    );
    expect([...first.rows, ...second.rows].map(({ object }) => object.name)).toEqual([
      "w-1",
      "w-2",
      "w-10",
    ]);
  });

  test("names the process that runs dry, and none where only controllers act", async () => {
    await ledger.write(heartbeat());
    expect((await pendingOfShadow(ledger.db, input())).shadow).toBeUndefined();
    const at = Date.now();
    await ledger.write(
      heartbeat({ instance: "dry-1", dryRun: true, at }),
      heartbeat({ instance: "dry-2", dryRun: true, leader: false, at: at + 1_000 }),
    );
    expect((await pendingOfShadow(ledger.db, input())).shadow).toEqual({
      identity: "dry-1",
      version: "0.1.0",
      heardAt: at,
      leader: true,
    });
  });
});

test("A dry run beside a controller that acts leaves the state of its nodes alone", async () => {
  await ledger.write(objectState({ name: "w-1", state: "ok" }));
  await ledger.write(
    objectState({ name: "w-1", state: "stuck", dryRun: true }),
    objectState({ name: "w-2", state: "stuck", dryRun: true }),
  );
  const { rows } = await listNodes(ledger.db, {
    cluster: CLUSTER,
    filter: {},
    sort: { by: "name", descending: false },
    limit: 50,
  });
  expect(rows).toMatchObject([
    { name: "w-1", state: "ok" },
    { name: "w-2", state: "stuck" },
  ]);
});

test("A dry run's heartbeat does not hide that the controller that acts is silent", async () => {
  const at = Date.now() - 60_000;
  await ledger.write(
    heartbeat({ instance: "ctl-1", at }),
    heartbeat({ instance: "dry-1", dryRun: true, at: at + 59_000 }),
  );
  expect(await clusterById(ledger.db, CLUSTER)).toMatchObject({
    lastHeardAt: at,
    leader: { identity: "ctl-1" },
  });
});

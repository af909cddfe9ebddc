import { describe, expect, test } from "vitest";
import {
  auditEntry,
  CLUSTER,
  newId,
  nodePart,
  objectState,
  runEnd,
} from "../../../testing/records.ts";
import { testLedger } from "../../../testing/test-ledger.ts";
import { overview } from "./overview.ts";

const ledger = testLedger();

const MINUTE = 60_000;
const NOW = Math.floor(Date.now() / MINUTE) * MINUTE + 30_000;

describe("a part that cannot be read", () => {
  test.each([
    ["runs", "run_counts", ["minutes"]],
    ["what was done last", "audit_entries", ["changes"]],
  ])("leaves the others as they are: %s", async (_what, table, unread) => {
    await ledger.write(objectState({ at: NOW, state: "stuck", since: NOW - MINUTE }));
    await ledger.db.pool.query(`ALTER TABLE ${table} RENAME TO gone`);
    const failed: string[] = [];
    const view = await overview(ledger.db, {
      ...{ cluster: CLUSTER, now: NOW },
      onUnread: (part, error) => failed.push(`${part}: ${String(error)}`),
    });
    expect(view).toMatchObject({ unread, problems: [{ count: 1 }], nodes: { stuck: 1 } });
    expect(failed).toEqual([expect.stringContaining(table)]);
  });

  test("is none where all are there", async () => {
    expect(await overview(ledger.db, { cluster: CLUSTER, now: NOW })).not.toHaveProperty("unread");
  });
});

describe("the problems of a cluster", () => {
  const refused = (requestId: string) =>
    ({
      code: "ProviderUnauthorized",
      provider: "sandbox",
      operation: "GET /v1/instances",
      message: "denied",
      status: 403,
      requestId,
    }) as const;

  test("are also those of objects of a kind that this release does not know", async () => {
    await ledger.write(
      objectState({
        ...{ at: NOW, state: "stuck", since: NOW - 60_000 },
        ...{ kind: "Namespace", name: "shop", controller: "namespace-label-controller" },
      }),
    );
    const { problems } = await overview(ledger.db, { cluster: CLUSTER, now: NOW });
    expect(problems).toMatchObject([{ of: "Namespace", count: 1, members: [{ name: "shop" }] }]);
  });

  test("of one cause are one, whatever their requests, and the oldest of many come first", async () => {
    const stuck = { at: NOW, state: "stuck" } as const;
    await ledger.write(
      objectState({ ...stuck, name: "w-1", since: NOW - 60_000, reason: refused("r-1") }),
      objectState({ ...stuck, name: "w-2", since: NOW - 90_000, reason: refused("r-2") }),
      objectState({
        ...stuck,
        name: "w-3",
        since: NOW - 100_000,
        reason: { code: "InstanceUnclaimed", provider: "sandbox" },
      }),
      objectState({ name: "w-4", at: NOW, state: "waiting" }),
    );
    const { problems } = await overview(ledger.db, { cluster: CLUSTER, now: NOW });
    expect(problems).toMatchObject([
      {
        kind: "stuck",
        code: "ProviderUnauthorized",
        count: 2,
        since: NOW - 90_000,
        members: [{ name: "w-2" }, { name: "w-1", reason: { requestId: "r-1" } }],
      },
      { code: "InstanceUnclaimed", count: 1, members: [{ name: "w-3" }] },
    ]);
  });

  test("are distinguished by what failed", async () => {
    const stuck = { at: NOW, since: NOW, state: "stuck" } as const;
    await ledger.write(
      objectState({ ...stuck, name: "w-1", reason: refused("r-1") }),
      objectState({ ...stuck, name: "w-2", reason: { ...refused("r-1"), operation: "GET /v1/x" } }),
    );
    expect((await overview(ledger.db, { cluster: CLUSTER, now: NOW })).problems).toHaveLength(2);
  });

  test("count all nodes and name the oldest twenty", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `w-${index}`);
    await ledger.write(
      ...names.map((name, index) =>
        objectState({ name, at: NOW, since: NOW - index, state: "stuck", reason: refused(name) }),
      ),
    );
    const [problem, ...others] = (await overview(ledger.db, { cluster: CLUSTER, now: NOW }))
      .problems;
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ count: 30, since: NOW - 29 });
    expect(problem?.members.map(({ name }) => name)).toEqual(names.toReversed().slice(0, 20));
  });

  test("include deletions that the guard holds, and not what a user holds", async () => {
    const held = { at: NOW, since: NOW, state: "held" } as const;
    await ledger.write(
      objectState({
        ...held,
        name: "w-1",
        reason: {
          code: "DeletionGuardHeld",
          provider: "sandbox",
          providerID: "sandbox://w-1",
          deleted: 5,
          limit: 5,
          windowMs: 600_000,
          held: 1,
        },
      }),
      objectState({ ...held, name: "w-2", reason: { code: "HeldByAnnotation", by: "ana" } }),
    );
    const { problems } = await overview(ledger.db, { cluster: CLUSTER, now: NOW });
    expect(problems).toMatchObject([{ kind: "held", code: "DeletionGuardHeld", count: 1 }]);
  });
});

describe("the last hour", () => {
  test("counts the runs of each minute that changed, waited or failed, and leaves out the rest", async () => {
    const minute = Math.floor(NOW / MINUTE) * MINUTE;
    const at = (minutesAgo: number) => ({ startedAt: minute - minutesAgo * MINUTE + 1_000 });
    await ledger.write(
      runEnd({ ...at(0), outcome: "changed" }),
      runEnd({ ...at(0), outcome: "changed" }),
      runEnd({ ...at(0), outcome: "unchanged" }),
      runEnd({ ...at(59), outcome: "timedOut" }),
      runEnd({ ...at(59), outcome: "blocked" }),
      runEnd({ ...at(59), outcome: "waiting" }),
      runEnd({ ...at(60), outcome: "failed" }),
      runEnd({ ...at(1), outcome: "failed", cluster: "other" }),
    );
    const { minutes } = await overview(ledger.db, { cluster: CLUSTER, now: NOW });
    expect(minutes).toHaveLength(60);
    expect(minutes[0]).toEqual({ at: minute - 59 * MINUTE, changed: 0, waiting: 1, failed: 2 });
    expect(minutes.at(-1)).toEqual({ at: minute, changed: 2, waiting: 0, failed: 0 });
    expect(minutes.slice(1, -1).every(({ changed, failed }) => changed + failed === 0)).toBe(true);
  });
});

describe("the latest changes", () => {
  test("are the last entry of each run, with how long an initialisation took", async () => {
    const runId = newId();
    await ledger.write(
      objectState({
        name: "w-1",
        at: NOW,
        node: nodePart({ createdAt: NOW - 9_000 }),
        initialisedAt: NOW - 2_000,
      }),
      auditEntry({ action: "node.addresses", runId }),
      auditEntry({ action: "node.initialise", runId }),
      auditEntry({ action: "node.hold", actor: { kind: "person", id: "u1", name: "ana" } }),
      auditEntry({ action: "node.delete", result: "failed" }),
      auditEntry({ action: "intent.request" }),
    );
    const { changes } = await overview(ledger.db, { cluster: CLUSTER, now: NOW });
    expect(changes).toMatchObject([
      { action: "node.hold", actor: { kind: "person", name: "ana" }, initMs: undefined },
      { action: "node.initialise", object: { name: "w-1" }, runId, initMs: 7_000 },
    ]);
    expect(changes).toHaveLength(2);
  });
});

test("of a cluster that nobody has reported everything is empty", async () => {
  const view = await overview(ledger.db, { cluster: "nowhere", now: NOW });
  expect(view).toMatchObject({ problems: [], changes: [], fleet: undefined, nodes: { ok: 0 } });
});

/** Records as a controller would write them. */

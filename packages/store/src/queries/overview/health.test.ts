import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../../testing/database-fixture.ts";
import { CLUSTER, heartbeat, nodePart, objectState } from "../../../testing/records.ts";
import { sortRecords } from "../../ledger/batch.ts";
import { writeBatch } from "../../ledger/sink.ts";
import { clusterHealth } from "./health.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

let pool: pg.Pool;
beforeEach(async () => {
  pool = new pg.Pool({ connectionString: await server.migrated(), max: 4 });
  return () => pool.end();
});

const NOW = 1_800_000_000_000;
const ROUTE = "node-route-controller";
const DOWN = {
  code: "ProviderUnavailable",
  provider: "sandbox",
  operation: "GET /v1/instances",
  message: "down",
} as const;
const GUARD = {
  code: "DeletionGuardHeld",
  provider: "sandbox",
  providerID: "sandbox://i-1",
  deleted: 5,
  limit: 5,
  windowMs: 600_000,
  held: 3,
} as const;

async function healthAfter(...records: readonly LedgerRecord[]) {
  const client = await pool.connect();
  try {
    await writeBatch(client as unknown as pg.Client, sortRecords(records));
  } finally {
    client.release();
  }
  return clusterHealth(pool, { cluster: CLUSTER, now: NOW });
}

function state(name: string, over: Partial<Parameters<typeof objectState>[0]> = {}) {
  const node = nodePart({ createdAt: 1 });
  return objectState({ name, uid: `uid-${name}`, at: NOW, since: NOW - 5_000, node, ...over });
}

function names(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

function leader(inventory: NonNullable<Parameters<typeof heartbeat>[0]>["inventory"]) {
  return heartbeat({ at: NOW, ...(inventory === undefined ? {} : { inventory }) });
}

describe("how much of a cluster is known", () => {
  test("follows what the leader's caches hold, not only the rows", async () => {
    const { coverage } = await healthAfter(
      leader({ nodes: 2_000, uninitialised: 328, services: 4 }),
      state("w-1", { state: "ok" }),
      state("w-2", { state: "ok", controller: "node-ipam-controller" }),
    );
    expect(coverage.Node).toEqual({
      present: 2_000,
      reported: 1,
      isExpected: true,
      uninitialised: 328,
    });
    expect(coverage.Service.present).toBe(0);
  });

  test("does not count objects removed since the leader's report", async () => {
    const { coverage } = await healthAfter(
      leader({ nodes: 2, uninitialised: 0 }),
      state("w-1", { state: "ok" }),
      state("w-2", { state: "gone", since: NOW + 1_000 }),
    );
    expect(coverage.Node).toEqual({ present: 1, reported: 1, isExpected: true, uninitialised: 0 });
  });

  test("does not count as uninitialised a node initialised since the leader's report", async () => {
    const { coverage } = await healthAfter(
      leader({ nodes: 5, uninitialised: 3 }),
      state("w-1", { state: "ok", initialisedAt: NOW - 1 }),
      state("w-2", { state: "ok", initialisedAt: NOW + 1_000 }),
      state("w-3", { state: "ok", initialisedAt: NOW + 1_000 }),
      // Created later, so the leader did not count it.
      state("w-4", {
        state: "ok",
        initialisedAt: NOW + 1_000,
        node: nodePart({ createdAt: NOW + 500 }),
      }),
    );
    expect(coverage.Node).toEqual({ present: 5, reported: 4, isExpected: true, uninitialised: 1 });
  });

  test("counts no node twice while some have yet to report, however old the leader's count is", async () => {
    const { coverage } = await healthAfter(
      leader({ nodes: 5, uninitialised: 4 }),
      state("w-1", { state: "ok", initialisedAt: NOW - 1 }),
      state("w-2", { state: "ok", initialisedAt: NOW - 1 }),
    );
    expect(coverage.Node).toEqual({ present: 5, reported: 2, isExpected: true, uninitialised: 3 });
  });

  test("trusts the leader over the rows when all have reported", async () => {
    const { coverage } = await healthAfter(
      leader({ nodes: 1, uninitialised: 1 }),
      state("w-1", { state: "ok", initialisedAt: NOW - 1 }),
    );
    expect(coverage.Node).toEqual({ present: 1, reported: 1, isExpected: true, uninitialised: 1 });
  });

  test("waits for no node when no controller that reports nodes runs", async () => {
    const { coverage } = await healthAfter(
      heartbeat({
        at: NOW,
        controllers: [{ name: "service-lb-controller", queueDepth: 0, oldestMs: 0 }],
        inventory: { nodes: 2_000, uninitialised: 0, services: 3 },
      }),
    );
    expect(coverage.Node).toMatchObject({ present: 0, isExpected: false });
    expect(coverage.Service).toMatchObject({ present: 3, reported: 0, isExpected: true });
  });

  test("expects nodes of a cluster that nobody has reported on yet", async () => {
    const silent = await healthAfter();
    expect(silent.coverage.Node).toMatchObject({ present: 0, reported: 0, isExpected: true });
    const empty = await healthAfter(leader({ nodes: 0, uninitialised: 0 }));
    expect(empty.coverage.Node).toMatchObject({ present: 0, reported: 0, isExpected: true });
  });

  test("expects the nodes that a leader has seen before it has started any controller", async () => {
    const starting = (nodes: number) =>
      heartbeat({ at: NOW, controllers: [], inventory: { nodes, uninitialised: nodes } });
    const empty = await healthAfter(starting(0));
    expect(empty.coverage.Node).toMatchObject({ present: 0, isExpected: true });
    const seen = await healthAfter(starting(97));
    expect(seen.coverage.Node).toMatchObject({ present: 97, reported: 0, isExpected: true });
  });

  test("is what the rows say when a leader has counted nothing", async () => {
    const { coverage } = await healthAfter(leader(undefined), state("w-1", { state: "ok" }));
    expect(coverage.Node).toEqual({
      present: 1,
      reported: 1,
      isExpected: true,
      uninitialised: undefined,
    });
  });
});

describe("problems", () => {
  test("counts stuck objects, routes of nodes and held deletions once each", async () => {
    const { needs } = await healthAfter(
      state("w-1", { state: "stuck" }),
      state("w-2", { controller: ROUTE, state: "stuck" }),
      state("w-3", { state: "held", reason: GUARD }),
      state("w-4", { state: "held", reason: { code: "HeldByAnnotation" } }),
      state("w-5", { state: "gone" }),
      state("shop/web", { controller: "service-lb-controller", kind: "Service", state: "stuck" }),
    );
    expect(needs).toEqual({
      stuck: { Node: 2, Service: 1 },
      stuckParts: { NodeRoutes: 1 },
      held: 1,
    });
  });

  test("include what a custom controller is stuck with", async () => {
    const { needs } = await healthAfter(
      state("w-1", { state: "ok" }),
      state("shop", {
        controller: "namespace-label-controller",
        kind: "Namespace",
        state: "stuck",
      }),
    );
    expect(needs).toEqual({ stuck: { Namespace: 1 }, stuckParts: {}, held: 0 });
  });
});

describe("mass alarms", () => {
  test("report that most nodes could not be observed, since the first failure and with the most frequent cause", async () => {
    const { alarms } = await healthAfter(
      ...names("u", 9).map((name) => state(name, { state: "unknown", reason: DOWN })),
      state("v", {
        state: "unknown",
        reason: { code: "KubeThrottled", verb: "get", resource: "nodes", message: "" },
        since: 7,
      }),
      state("w", { state: "ok" }),
    );
    expect(alarms).toEqual([
      { kind: "unknown", of: "Node", count: 10, total: 11, since: 7, reason: DOWN },
    ]);
  });

  test("cover every kind that is observed individually, even one that this release does not know", async () => {
    const unseen = { state: "unknown", reason: DOWN, since: 7 } as const;
    const { alarms } = await healthAfter(
      state("w-1", { ...unseen, controller: ROUTE }),
      state("shop", { ...unseen, controller: "namespace-label-controller", kind: "Namespace" }),
      state("lb-1", { ...unseen, controller: "service-lb-controller", kind: "LoadBalancer" }),
    );
    expect(alarms.map((alarm) => alarm.kind === "unknown" && alarm.of)).toEqual([
      ...["Namespace", "Node", "NodeRoutes"],
    ]);
  });

  test("report machines that vanished, with what became of their nodes", async () => {
    const gone = { code: "InstanceGone", provider: "sandbox", providerID: "x" } as const;
    const { alarms } = await healthAfter(
      ...names("g", 5).map((name) =>
        state(name, { state: "gone", reason: gone, since: NOW - 60_000 }),
      ),
      ...names("h", 8).map((name) => state(name, { state: "held", reason: GUARD })),
      ...names("w", 5).map((name) => state(name, { state: "ok" })),
    );
    expect(alarms).toEqual([
      expect.objectContaining({ kind: "vanished", count: 13, total: 18, removed: 5, held: 8 }),
    ]);
  });

  test("are empty in a healthy cluster", async () => {
    expect((await healthAfter(state("w-1", { state: "ok" }))).alarms).toEqual([]);
  });
});

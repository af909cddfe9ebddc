import type { LedgerRecord } from "@cloudwright/core/model/record";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import {
  auditEntry,
  CLUSTER,
  heartbeat,
  nodePart,
  objectState,
  runEnd,
  runStart,
} from "../../testing/records.ts";
import { writeRecords } from "../../testing/write-records.ts";
import { connect, type Database } from "../database.ts";
import { requestIntent } from "../request-intent.ts";
import type { ListInput, NodeSort, NodesFilter, Page, RunsFilter } from "../views.ts";
import { listAudit } from "./audit.ts";
import { clusterById, listClusters } from "./clusters.ts";
import { intentById, listIntents } from "./intents.ts";
import { pageStatement, totalStatement } from "./keyset.ts";
import { nodeDetail } from "./node-detail.ts";
import { listNodes, nodesQuery } from "./nodes.ts";
import { runDetail } from "./run-detail.ts";
import { listRuns, runsQuery } from "./runs.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

let db: Database;

/** A database for each test of a suite; with records given, one for all of them, which only read it. */
function useDatabase(records?: () => readonly LedgerRecord[]): void {
  const open = async () => {
    const own = connect(await server.migrated());
    db = own;
    if (records !== undefined) await write(...records());
    return () => own.close();
  };
  if (records === undefined) beforeEach(open);
  else beforeAll(open);
}

/** Records as a controller would write them. */
function write(...records: readonly LedgerRecord[]): Promise<void> {
  return writeRecords(String(db.pool.options.connectionString), records);
}

function nodesInput(
  filter: NodesFilter = {},
  over: Partial<ListInput<NodesFilter, NodeSort>> = {},
): ListInput<NodesFilter, NodeSort> {
  return { cluster: CLUSTER, filter, sort: { by: "name", descending: false }, limit: 50, ...over };
}

function runsInput(filter: RunsFilter = {}): ListInput<RunsFilter, "started"> {
  return { cluster: CLUSTER, filter, sort: { by: "started", descending: true }, limit: 50 };
}

async function allPages<Row>(
  load: (cursor: string | undefined) => Promise<Page<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await load(cursor);
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return rows;
}

const FLEET = [
  { name: "w-1", state: "ok", zone: "z1", type: "s", at: 1_000, init: 4_000, address: "10.0.0.1" },
  { name: "w-2", state: "stuck", zone: "z2", type: "m", at: 3_000, address: "10.0.0.2" },
  { name: "w-3", state: "stuck", zone: "z1", type: "m", at: 2_000, address: "10.0.1.3" },
  { name: "w-4", state: "waiting", zone: "z3", type: "l", at: 5_000, init: 2_000 },
  { name: "w-5", state: "gone", zone: "z1", type: "s", at: 4_000 },
  { name: "w-6", state: "ok", zone: "z2", type: "s", at: 1_000, init: 9_000 },
] as const;

function fleet(): LedgerRecord[] {
  return FLEET.map((node) =>
    objectState({
      name: node.name,
      state: node.state,
      at: node.at,
      since: node.at,
      drift: node.name === "w-6" ? "drifted" : "inStep",
      node: nodePart({
        createdAt: 500,
        zone: node.zone,
        instanceType: node.type,
        providerID: `sandbox://${node.zone}/${node.name}`,
        ...("address" in node ? { address: node.address } : {}),
      }),
      ...("init" in node ? { initialisedAt: 500 + node.init } : {}),
    }),
  );
}

describe("the nodes of a cluster", () => {
  useDatabase(() => [...fleet(), objectState({ cluster: "other", name: "x-1" })]);

  test.each<{ by: NodeSort; descending: boolean; names: string }>([
    { by: "state", descending: false, names: "w-3 w-2 w-4 w-1 w-6" },
    { by: "name", descending: true, names: "w-6 w-4 w-3 w-2 w-1" },
    { by: "since", descending: false, names: "w-1 w-6 w-3 w-2 w-4" },
    { by: "init", descending: true, names: "w-6 w-1 w-4 w-3 w-2" },
    { by: "zone", descending: false, names: "w-1 w-3 w-2 w-6 w-4" },
    { by: "type", descending: false, names: "w-4 w-2 w-3 w-1 w-6" },
  ])("sort by $by (descending: $descending), the same on pages of one", async (given) => {
    const sort = { by: given.by, descending: given.descending };
    const whole = await listNodes(db, nodesInput({}, { sort }));
    expect(whole.rows.map((row) => row.name).join(" ")).toBe(given.names);
    const singly = await allPages((cursor) =>
      listNodes(db, nodesInput({}, { sort, limit: 1, cursor })),
    );
    expect(singly).toEqual(whole.rows);
  });

  test.each<{ filter: NodesFilter; names: string }>([
    { filter: { states: ["stuck"] }, names: "w-2 w-3" },
    { filter: { states: ["gone", "waiting"] }, names: "w-4 w-5" },
    { filter: { states: [] }, names: "" },
    { filter: { zones: ["z1"] }, names: "w-1 w-3" },
    { filter: { types: ["s", "l"] }, names: "w-1 w-4 w-6" },
    { filter: { drift: "drifted" }, names: "w-6" },
    { filter: { reason: "Initialised" }, names: "w-1 w-2 w-3 w-4 w-6" },
    { filter: { reason: "Uninitialised" }, names: "" },
    { filter: { text: "W-3" }, names: "w-3" },
    { filter: { text: "10.0.0." }, names: "w-1 w-2" },
    { filter: { text: "sandbox://z2" }, names: "w-2 w-6" },
    { filter: { text: "100%" }, names: "" },
    { filter: { text: "w", zones: ["z1"], states: ["ok"] }, names: "w-1" },
  ])("filtered by $filter are: $names", async ({ filter, names }) => {
    const page = await listNodes(db, nodesInput(filter));
    expect(page.rows.map((row) => row.name).join(" ")).toBe(names);
    expect(page.total).toEqual({ kind: "exact", count: page.rows.length });
  });

  test("are counted by state whatever the filter, with the zones and types to choose from", async () => {
    const page = await listNodes(db, nodesInput({ text: "nothing" }));
    expect(page).toMatchObject({
      rows: [],
      counts: { stuck: 2, unknown: 0, waiting: 1, working: 0, held: 0, ok: 2, gone: 1 },
      zones: ["z1", "z2", "z3"],
      types: ["l", "m", "s"],
    });
  });

  test("of one cluster are not those of another", async () => {
    const page = await listNodes(db, nodesInput({}, { cluster: "other" }));
    expect(page.rows.map((row) => row.name)).toEqual(["x-1"]);
  });

  test.each([0, 201, 1.5])("refuse a page of %d rows", async (limit) => {
    await expect(listNodes(db, nodesInput({}, { limit }))).rejects.toMatchObject({
      code: "Invalid",
    });
  });

  test("a reason of a newer release does not fail the page", async () => {
    await db.pool.query(`UPDATE object_states SET reason = '{"code":"OfTheFuture"}'`);
    const page = await listNodes(db, nodesInput());
    expect(page.rows[0]?.reason).toMatchObject({ code: "Unexplained" });
  });
});

describe("one node", () => {
  useDatabase();

  test("tells all that its controllers know, worst first, and the fleet's times", async () => {
    const now = Date.now();
    const node = nodePart({ createdAt: now - 9_000, zone: "z1", address: "10.0.0.1" });
    const timeline = [{ step: "registered", state: "done", tries: 1, startedAt: 1 } as const];
    await write(
      objectState({ at: now, node, initialisedAt: now - 5_000, timeline }),
      objectState({ at: now, controller: "cloud-node-lifecycle-controller", state: "waiting" }),
    );
    await write(
      objectState({
        name: "w-2",
        at: now,
        node: nodePart({ createdAt: now - 9_000 }),
        initialisedAt: now - 1_000,
      }),
    );
    const detail = await nodeDetail(db, { cluster: CLUSTER, name: "w-1" });
    expect(detail).toMatchObject({
      row: { name: "w-1", state: "waiting", initMs: 4_000 },
      createdAt: now - 9_000,
      goneAt: undefined,
      controllers: [
        { controller: "cloud-node-lifecycle-controller", state: "waiting" },
        { controller: "cloud-node-controller", state: "ok" },
      ],
      timeline,
      node: { zone: "z1" },
      ready: { status: "True" },
      fleet: { p50Ms: 6_000, nodes: 2 },
      openIntents: [],
    });
  });

  test("that is gone is still known", async () => {
    await write(
      objectState({ at: 1_000 }),
      objectState({ at: 2_000, since: 2_000, state: "gone" }),
    );
    const detail = await nodeDetail(db, { cluster: CLUSTER, name: "w-1" });
    expect(detail.goneAt).toBe(2_000);
  });

  test("that nobody has reported is not found", async () => {
    await expect(nodeDetail(db, { cluster: CLUSTER, name: "w-404" })).rejects.toMatchObject({
      code: "NotFound",
    });
  });
});

const RUNS = [
  runEnd({ startedAt: 1_000, outcome: "changed" }),
  runEnd({
    startedAt: 2_000,
    outcome: "failed",
    reason: { code: "ProviderThrottled", provider: "sandbox", operation: "list" },
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
  runEnd({ startedAt: 5_000, outcome: "blocked", object: { kind: "Node", name: "xa1" } }),
] as const;

describe("the runs of a cluster", () => {
  useDatabase(() => RUNS);

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
    { filter: { not: { operation: "PATCH nodes" } }, times: [4, 3] },
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
    const page = await listRuns(db, runsInput(filter));
    expect(page.rows.map((row) => row.startedAt / 1_000)).toEqual(times);
    expect(page.total).toEqual({ kind: "exact", count: times.length });
    const singly = await allPages((cursor) =>
      listRuns(db, { ...runsInput(filter), limit: 1, cursor }),
    );
    expect(singly).toEqual(page.rows);
  });

  test("carry what the list shows", async () => {
    const page = await listRuns(db, runsInput({ key: "shop/web" }));
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
  useDatabase();

  test("comes back whole, with its neighbours of the same object", async () => {
    const [first, second, third] = [1_000, 2_000, 3_000].map((startedAt) => runEnd({ startedAt }));
    await write(...[first, second, third].filter((run) => run !== undefined), ...RUNS.slice(1));
    const detail = await runDetail(db, { cluster: CLUSTER, id: second?.id ?? "" });
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
      await expect(runDetail(db, { cluster: CLUSTER, id })).rejects.toMatchObject({
        code: "NotFound",
      });
    },
  );

  test("that was interrupted has no end", async () => {
    const start = runStart();
    await write(start, runEnd({ ...start, type: "run.end", outcome: "interrupted", steps: [] }));
    const detail = await runDetail(db, { cluster: CLUSTER, id: start.id });
    expect(detail).toMatchObject({ end: undefined, row: { outcome: "interrupted" } });
  });
});

describe("clusters", () => {
  useDatabase();

  test("name their leader by the newest lease, count nodes, runs and open actions", async () => {
    const now = Date.now();
    await write(
      heartbeat({ at: now - 60_000, instance: "ctl-1", leaseTransitions: 4 }),
      heartbeat({ at: now, instance: "ctl-2", leaseTransitions: 5 }),
      heartbeat({ at: now, instance: "ctl-3", leader: false }),
      heartbeat({ at: now - 7_200_000, instance: "ctl-0", leaseTransitions: 3 }),
      ...fleet(),
      runEnd({ startedAt: now, outcome: "changed" }),
      runEnd({ startedAt: now, outcome: "failed" }),
      runEnd({ startedAt: now, outcome: "unchanged" }),
      runEnd({ startedAt: now - 4_000_000, outcome: "failed" }),
    );
    await requestIntent(
      { db, actor: { id: "u1", name: "ana", role: "operator" } },
      {
        id: "6f3c2a10-0000-4000-8000-0000000000aa",
        cluster: CLUSTER,
        kind: "retry",
        controller: "cloud-node-controller",
        object: { kind: "Node", name: "w-2" },
        why: "Looked at",
      },
    );
    const cluster = await clusterById(db, CLUSTER);
    expect(cluster).toMatchObject({
      name: "prod-eu",
      lastHeardAt: now,
      leader: { identity: "ctl-2", leaseTransitions: 5 },
      nodes: { stuck: 2, gone: 1 },
      runs: { all: 3, changed: 1, failed: 1 },
      openIntents: 1,
    });
    expect(cluster.instances.map((instance) => instance.identity)).toEqual([
      "ctl-2",
      "ctl-3",
      "ctl-1",
    ]);
    expect(await listClusters(db)).toEqual([cluster]);
  });

  test("tell what people have paused and what the deletion guard holds", async () => {
    const paused = { by: "ana", why: "INC-88", until: 9_000 };
    const pause = { controller: "cloud-node-controller", at: 1, intentId: "i", ...paused } as const;
    const controls = {
      pauses: [pause],
      guard: {
        limit: 5,
        windowMs: 600_000,
        deleted: 5,
        windowEndsAt: 7_000,
        held: [{ name: "w-1", uid: "u-1", since: 2_000, because: "It is gone." }],
      },
    };
    const name = "cloud-node-controller" as const;
    await write(
      heartbeat({ controls, controllers: [{ name, queueDepth: 3, oldestMs: 10, paused }] }),
      heartbeat({ instance: "ctl-2", leader: false }),
    );
    const { leader, instances } = await clusterById(db, CLUSTER);
    expect(leader?.controls).toEqual(controls);
    expect(leader?.controllers).toMatchObject([{ name, paused }]);
    expect(instances.find(({ identity }) => identity === "ctl-2")?.controls).toBeUndefined();
  });

  test("without runs count none", async () => {
    await write(heartbeat());
    expect((await clusterById(db, CLUSTER)).runs).toEqual({ all: 0, changed: 0, failed: 0 });
  });

  test("that nobody has reported are not found", async () => {
    await expect(clusterById(db, "nowhere")).rejects.toMatchObject({ code: "NotFound" });
  });
});

describe("audit entries and intents", () => {
  useDatabase();

  test("list newest first, by object, in pages", async () => {
    const entries = ["w-1", "w-2", "w-1"].map((name) =>
      auditEntry({ object: { kind: "Node", name } }),
    );
    await write(...entries, auditEntry({ cluster: "other" }));
    const input = {
      cluster: CLUSTER,
      filter: { object: { kind: "Node", name: "w-1" } as const },
      sort: { by: "inserted", descending: true } as const,
      limit: 1,
    };
    const rows = await allPages((cursor) => listAudit(db, { ...input, cursor }));
    expect(rows.map((row) => row.id)).toEqual([entries[2]?.id, entries[0]?.id]);
    expect(rows[0]).toMatchObject({
      actor: { kind: "controller", id: "ctl-1" },
      result: "applied",
    });
  });

  test("intents page and filter by object and by being open", async () => {
    await write(heartbeat());
    const context = { db, actor: { id: "u1", name: "ana", role: "operator" } as const };
    for (const name of ["w-1", "w-2", "w-1"]) {
      await requestIntent(context, {
        id: crypto.randomUUID(),
        cluster: CLUSTER,
        kind: "retry",
        controller: "cloud-node-controller",
        object: { kind: "Node", name },
        why: "Looked at",
      });
    }
    const input = {
      cluster: CLUSTER,
      filter: { open: true, object: { kind: "Node", name: "w-1" } as const },
      sort: { by: "requested", descending: true } as const,
      limit: 1,
    };
    const open = await allPages((cursor) => listIntents(db, { ...input, cursor }));
    expect(open).toHaveLength(2);
    await db.pool.query("UPDATE intents SET state = 'verified' WHERE id = $1", [open[0]?.id]);
    expect((await listIntents(db, input)).rows.map((intent) => intent.id)).toEqual([open[1]?.id]);
    expect(await intentById(db, { cluster: CLUSTER, id: open[0]?.id ?? "" })).toMatchObject({
      state: "verified",
      actor: "ana",
    });
  });

  test("a preview is no action: it is neither counted nor among those of its object", async () => {
    await write(heartbeat());
    const context = { db, actor: { id: "u1", name: "ana", role: "operator" } as const };
    for (const kind of ["preview", "retry"] as const) {
      await requestIntent(context, {
        id: crypto.randomUUID(),
        cluster: CLUSTER,
        kind,
        controller: "cloud-node-controller",
        object: { kind: "Node", name: "w-1" },
        why: "Looked at",
      });
    }
    const sort = { by: "requested", descending: true } as const;
    const kindsOf = async (filter: { readonly acting?: boolean }) => {
      const { rows, total } = await listIntents(db, { cluster: CLUSTER, filter, sort, limit: 9 });
      return [total.count, ...rows.map(({ kind }) => kind)];
    };
    expect(await kindsOf({})).toEqual([2, "retry", "preview"]);
    expect(await kindsOf({ acting: true })).toEqual([1, "retry"]);
    expect((await clusterById(db, CLUSTER)).openIntents).toBe(1);
  });
});

describe("on 100,000 runs and 20,000 nodes", () => {
  let big: Database;
  beforeAll(async () => {
    big = connect(await server.migrated());
    await big.pool.query(MAKE_DAYS);
    await big.pool.query(GENERATE_RUNS, [CLUSTER]);
    await big.pool.query(GENERATE_NODES, [CLUSTER]);
    await big.pool.query("VACUUM ANALYZE runs");
    await big.pool.query("VACUUM ANALYZE object_states");
  });
  afterAll(() => big.close());

  async function plan(text: string, values: readonly unknown[]): Promise<string> {
    const result = await big.pool.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, [...values]);
    return result.rows.map((row) => row["QUERY PLAN"]).join("\n");
  }

  test.each<[string, RunsFilter]>([
    ["no filter", {}],
    ["one controller", { controller: "node-route-controller" }],
    ["one outcome", { outcomes: ["failed"] }],
    ["several outcomes", { outcomes: ["failed", "timedOut"] }],
    ["one reason", { reason: "ProviderThrottled" }],
    ["one object", { key: "w-17" }],
    ["one trigger", { triggers: ["retry"] }],
    ["many calls", { minCalls: 10 }],
    ["a time", { from: Date.now() - 60_000 }],
    ["what is not unchanged", { not: { outcomes: ["unchanged"] } }],
  ])("a page of runs with %s reads an index and sorts nothing big", async (_name, filter) => {
    const query = runsQuery(big.pool, runsInput(filter));
    const { text, values } = pageStatement(query, 51);
    const explained = await plan(text, values);
    expect(explained).toMatch(/Index (Only )?Scan/);
    expect(explained).not.toMatch(/Seq Scan/);
  });

  test.each<[string, RunsFilter]>([
    ["one outcome", { outcomes: ["failed"] }],
    ["one reason", { reason: "ProviderThrottled" }],
    ["one object", { key: "w-17" }],
    ["one trigger", { triggers: ["retry"] }],
    ["many calls", { minCalls: 10 }],
  ])("the total of runs with %s reads an index", async (_name, filter) => {
    const query = runsQuery(big.pool, runsInput(filter));
    expect(await plan(totalStatement(query), query.where.values)).not.toMatch(/Seq Scan/);
  });

  test("a total beyond 10,000 is a lower bound", async () => {
    const page = await listRuns(big, runsInput());
    expect(page.total).toEqual({ kind: "atLeast", count: 10_000 });
    expect(page.rows).toHaveLength(50);
  });

  test("the worst nodes come from an index", async () => {
    const input = nodesInput({ states: ["stuck"] }, { sort: { by: "state", descending: false } });
    const { text, values } = pageStatement(nodesQuery(big.pool, input), 51);
    const explained = await plan(text, values);
    expect(explained).toMatch(/Index Scan|Bitmap Index Scan/);
    expect(explained).not.toMatch(/Seq Scan/);
  });
});

const MAKE_DAYS = `
  SELECT cloudwright_make_run_days(array_agg(DISTINCT (moment AT TIME ZONE 'UTC')::date))
    FROM generate_series(now() - interval '100000 seconds', now(), interval '1 second') AS moment`;

const GENERATE_RUNS = `
  INSERT INTO runs (id, cluster_id, instance, controller, object_kind, object_name, trigger_kind, trigger, attempt,
                    outcome, reason_code, reason, started_at, queued_ms, change_count, dry_run, changes, not_taken, steps)
  SELECT gen_random_uuid(), $1, 'ctl-1',
         CASE WHEN n % 200 = 0 THEN 'node-route-controller' ELSE 'cloud-node-controller' END,
         'Node', 'w-' || n % 5000, 'period', '{"kind":"period"}', 1,
         CASE WHEN n % 500 = 0 THEN 'failed' WHEN n % 501 = 0 THEN 'timedOut' WHEN n % 7 = 0 THEN 'changed' ELSE 'unchanged' END,
         CASE WHEN n % 500 = 0 THEN 'ProviderThrottled' ELSE 'InStep' END, '{"code":"InStep"}',
         now() - n * interval '1 second', 0, 0, false, '[]', '[]', '[]'
    FROM generate_series(1, 100000) AS n`;

const GENERATE_NODES = `
  INSERT INTO object_states (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since,
                             failures, drift, last_run_id, last_run_outcome, last_run_at, updated_at, addresses, search_text)
  SELECT $1, 'Node', 'w-' || n, 'uid-' || n, '{}', CASE WHEN n % 100 = 0 THEN 'stuck' ELSE 'ok' END,
         CASE WHEN n % 100 = 0 THEN 0 ELSE 5 END, '{"code":"InStep"}', 'InStep', 'cloud-node-controller', now(),
         0, 'inStep', '', 'unchanged', now(), now(), '[]', 'w-' || n
    FROM generate_series(1, 20000) AS n`;

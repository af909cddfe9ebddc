import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { migrationsBefore } from "../../testing/earlier-migrations.ts";
import { nodesInput } from "../../testing/list-inputs.ts";
import {
  loadBalancerDetail as loadBalancerReport,
  orphanState,
} from "../../testing/load-balancer-records.ts";
import { CLUSTER, nodePart, objectState } from "../../testing/records.ts";
import { nodeRoutesState } from "../../testing/route-records.ts";
import { volumeState } from "../../testing/volume-records.ts";
import { writeRecords } from "../../testing/write-records.ts";
import { connect, type Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { countWaitingAdoptions } from "../queries/adoption/takeover.ts";
import {
  listLoadBalancers,
  listOrphans,
  loadBalancerDetail,
} from "../queries/objects/load-balancers.ts";
import { nodeDetail, nodeLoadBalancers } from "../queries/objects/node-detail.ts";
import { listNodes, listVolumes } from "../queries/objects/object-view.ts";
import { listRoutes, listRouteTables, listStaleRoutes } from "../queries/objects/routes.ts";
import { findAnything } from "../queries/overview/find.ts";

let server: TestServer;
let db: Database;
beforeAll(async () => {
  server = await startTestServer();
  const url = await server.empty();
  const { folder, remove } = migrationsBefore("20261123081500_table_for_each_kind");
  await migrate(url, { migrationsDir: folder });
  remove();
  db = connect(url);
  await insertEarlier();
  await migrate(url);
});
afterAll(async () => {
  await db.close();
  await server.dispose();
});

const list = { cluster: CLUSTER, filter: {}, limit: 50 };
const byName = { sort: { by: "name", descending: false } } as const;

test("nodes of an earlier ledger are listed, shown and found", async () => {
  const page = await listNodes(db, nodesInput());
  expect(page).toMatchObject({
    rows: [
      {
        name: "w-1",
        state: "stuck",
        zone: "z1",
        instanceType: "m1",
        initMs: 2_500,
        providerID: "sandbox://w-1",
        addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
        ready: "True",
      },
    ],
    counts: { states: { stuck: 1, gone: 1 } },
    facets: { zones: ["z1"], types: ["m1"] },
  });
  expect(await nodeDetail(db, { cluster: CLUSTER, name: "w-1" })).toMatchObject({
    createdAt: 1_000,
    controllers: [{ controller: "node-route-controller", reason: { code: "RouteUnowned" } }],
    node: { zone: "z1" },
    kubeletVersion: "v1",
  });
  expect((await findAnything(db, { cluster: CLUSTER, text: "10.0.0.1" })).objects).toMatchObject([
    { kind: "Node", name: "w-1", providerID: "sandbox://w-1", address: "10.0.0.1" },
  ]);
});

test("so are its load balancers, with the verdicts on nodes", async () => {
  const services = await listLoadBalancers(db, { ...list, ...byName });
  expect(services).toMatchObject({
    rows: [
      {
        ...{ name: "shop/web", namespace: "shop", service: "web", type: "network" },
        ...{ providerID: "lb-1", addresses: ["203.0.113.7"], membersIn: 1, membersWanted: 2 },
        changedAt: 9_000,
      },
    ],
    counts: { states: { ok: 1 }, drifted: 1, orphans: 1 },
  });
  const key = { cluster: CLUSTER, namespace: "shop", name: "web" };
  expect(await loadBalancerDetail(db, key)).toMatchObject({ row: { name: "shop/web" } });
  expect(await nodeLoadBalancers(db, { cluster: CLUSTER, name: "w-1" })).toMatchObject({
    behind: 1,
  });
  expect((await listOrphans(db, { ...list, ...byName })).rows).toMatchObject([
    { name: "lb-9", detail: { kind: "orphan", actual: { id: "lb-9" } } },
  ]);
});

test("so are its routes, each node's as a row of its own, and its volumes", async () => {
  expect(await listRoutes(db, { ...list, ...byName })).toMatchObject({
    rows: [
      {
        ...{ name: "w-1", state: "stuck", reason: { code: "RouteUnowned" }, since: 7_000 },
        ...{ failures: 4, nextAt: 99_000, drift: "drifted", table: "rtb-a" },
        lastRun: { id: "run-1", outcome: "failed", at: 8_000 },
        cells: [{ cidr: "10.244.1.0/24", verdict: "missing" }],
      },
    ],
    counts: { states: { stuck: 1, gone: 1 }, wanted: 1, inStep: 0, stale: 1, tables: 1 },
  });
  const missing = {
    ...list,
    ...byName,
    filter: { verdicts: ["missing"] as const, table: "rtb-a" },
  };
  expect((await listRoutes(db, missing)).rows).toHaveLength(1);
  expect((await listStaleRoutes(db, { ...list, ...byName })).rows).toMatchObject([
    { name: "r-9", detail: { destination: "10.9.0.0/24" } },
  ]);
  expect(await listRouteTables(db, { cluster: CLUSTER, now: 10_000 })).toMatchObject([
    { id: "rtb-a", used: 3 },
  ]);
  const waiting = await countWaitingAdoptions(db, [CLUSTER]);
  expect(waiting.get(CLUSTER)).toEqual({ balancers: 0, routes: 1 });
  expect((await listVolumes(db, { ...list, ...byName })).rows).toMatchObject([
    { name: "pv-1", zone: "z1", storageClass: "fast", providerID: "vol-1", changedAt: 9_000 },
  ]);
});

test("later reports continue from what was known", async () => {
  await writeRecords(String(db.pool.options.connectionString), [
    nodeRoutesState("w-1", { uid: "uid-1", at: 20_000, since: 20_000, state: "ok" }),
    objectState({ name: "w-1", uid: "uid-1", at: 20_000, node: nodePart({ createdAt: 1_000 }) }),
  ]);
  const { rows } = await listNodes(db, nodesInput());
  expect(rows).toMatchObject([{ name: "w-1", state: "ok", initMs: 2_500 }]);
  expect((await listRoutes(db, { ...list, ...byName })).rows).toMatchObject([{ state: "ok" }]);
});

const NODE = nodePart({
  ...{ createdAt: 1_000, zone: "z1", instanceType: "m1", providerID: "sandbox://w-1" },
  address: "10.0.0.1",
});
const UNOWNED = {
  ...{ code: "RouteUnowned", provider: "sandbox", cidr: "10.244.1.0/24", id: "r-1" },
  proofs: [],
};
const ROUTES = {
  kind: "routes",
  cells: [
    {
      ...{ cidr: "10.244.1.0/24", family: "IPv4", verdict: "missing", wantedNextHop: "w-1" },
      route: { id: "r-1", table: "rtb-a", name: "x", destination: "10.244.1.0/24" },
    },
  ],
};
const ORPHAN = orphanState("lb-9").detail;
const SERVICE = loadBalancerReport({ membersIn: 1 });

function earlier(kind: string, name: string, own: object = {}): object {
  return {
    ...{ cluster_id: CLUSTER, kind, name, uid: "uid-1", parts: {}, state: "ok", state_rank: 5 },
    ...{ reason: { code: "InStep" }, reason_code: "InStep", controller: "service-lb-controller" },
    ...{ since: new Date(5_000), failures: 0, drift: "inStep", last_run_id: "run-1" },
    ...{ last_run_outcome: "unchanged", last_run_at: new Date(8_000), updated_at: new Date(8_000) },
    ...{ zone: "", instance_type: "", addresses: [], route_table: "", route_verdicts: [] },
    ...{ search_text: name, dry_run: false },
    ...own,
  };
}

/** Rows as the previous release wrote them: one table, whose columns had a different meaning for each kind. */
const EARLIER_ROWS = [
  earlier("Node", "w-1", {
    ...{ state: "stuck", state_rank: 0, reason: UNOWNED, reason_code: "RouteUnowned" },
    ...{ created_at: new Date(1_000), initialised_at: new Date(3_500), init_ms: 2_500 },
    ...{ zone: "z1", instance_type: "m1", provider_id: "sandbox://w-1", ready: "True" },
    addresses: NODE.facts.addresses,
    search_text: "w-1 sandbox://w-1 10.0.0.1",
    node: { ...NODE, kubeletVersion: "v1" },
    parts: {
      "node-route-controller": {
        ...{ controller: "node-route-controller", at: 8_000, state: "stuck", reason: UNOWNED },
        ...{ since: 7_000, nextAt: 99_000, failures: 4, drift: "drifted", runId: "run-1" },
        ...{ outcome: "failed", detail: ROUTES },
      },
    },
    ...{ route_rank: 0, route_since: new Date(7_000), route_drift: "drifted" },
    ...{
      route_reason_code: "RouteUnowned",
      route_table: "rtb-a",
      routes_wanted: 1,
      routes_kept: 0,
    },
    route_verdicts: ["missing"],
  }),
  earlier("Node", "w-0", {
    ...{ state: "gone", state_rank: 6, gone_at: new Date(6_000), route_rank: 6 },
    ...{
      route_since: new Date(6_000),
      route_drift: "notChecked",
      route_reason_code: "NotReportedYet",
    },
  }),
  earlier("Service", "shop/web", {
    ...{ provider_id: "lb-1", instance_type: "network", addresses: ["203.0.113.7"] },
    ...{ members_in: 1, members_wanted: 2, changed_at: new Date(9_000), drift: "drifted" },
    ...{ verdicts: { "w-1": 1 }, detail: SERVICE },
  }),
  earlier("LoadBalancer", "lb-9", {
    ...{ provider_id: "lb-9", instance_type: "network", addresses: ["203.0.113.99"] },
    detail: ORPHAN,
  }),
  earlier("Route", "r-9", {
    detail: { kind: "route", table: "rtb-a", destination: "10.9.0.0/24", blackhole: true },
  }),
  earlier("RouteTable", "rtb-a", {
    detail: {
      ...{ kind: "table", tableName: "main", used: 3, ours: 1, missing: 1, foreignCount: 0 },
      ...{ foreign: [], asOf: 8_000 },
    },
  }),
  earlier("PersistentVolume", "pv-1", {
    ...{ zone: "z1", instance_type: "fast", provider_id: "vol-1", changed_at: new Date(9_000) },
    detail: volumeState("pv-1").detail,
  }),
];

async function insertEarlier(): Promise<void> {
  for (const row of EARLIER_ROWS) {
    const columns = Object.keys(row).join(", ");
    await db.pool.query(
      `INSERT INTO object_states (${columns})
       SELECT ${columns} FROM jsonb_populate_record(NULL::object_states, $1::jsonb)`,
      [JSON.stringify(row)],
    );
  }
}

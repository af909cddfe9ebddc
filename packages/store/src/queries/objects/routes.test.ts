import { nodeRoutesKind } from "@cloudwright/core/model/kinds/route";
import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { describe, expect, test } from "vitest";
import { flagSetting, settings } from "../../../testing/budget-records.ts";
import { useClusterDatabase } from "../../../testing/cluster-database.ts";
import { CLUSTER, heartbeat, nodePart, objectState } from "../../../testing/records.ts";
import {
  cloudRoute,
  missingCell,
  nodeRangesState,
  nodeRoutesState,
  routeCell,
  staleRouteState,
  tableState,
} from "../../../testing/route-records.ts";
import { writeRecords } from "../../../testing/write-records.ts";
import { pageStatement } from "../../sql/lists/list.ts";
import { objectList } from "../../sql/objects/objects.ts";
import type { RouteSort, RoutesFilter } from "../../views/routes.ts";
import { clusterById } from "../overview/clusters.ts";
import { overview } from "../overview/overview.ts";
import { nodeDetail } from "./node-detail.ts";
import { listNodes } from "./object-view.ts";
import { listRoutes, nodeRoutes } from "./routes.ts";

const database = useClusterDatabase();
const NOW = 1_774_000_000_000;

function list(filter: RoutesFilter = {}, by: RouteSort = "name", descending = false) {
  return listRoutes(database.db, {
    ...{ cluster: CLUSTER, filter, limit: 50 },
    sort: { by, descending },
  });
}

function write(...records: readonly LedgerRecord[]): Promise<void> {
  return writeRecords(String(database.db.pool.options.connectionString), records);
}

const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);

const FULL = {
  code: "RouteTableFull",
  provider: "sandbox",
  cidr: "10.244.2.0/24",
  message: "quota",
} as const;

describe("the list of routes", () => {
  test("shows nodes as the route controller sees them, whatever others say", async () => {
    await write(
      objectState({ name: "w-1", state: "stuck", reason: { code: "Uninitialised" } }),
      nodeRoutesState("w-1", { at: NOW, since: NOW - 9, reported: { asOf: NOW - 5 } }),
      objectState({ name: "w-2" }),
    );
    const { rows, counts } = await list();
    expect(rows).toMatchObject([
      {
        name: "w-1",
        state: "ok",
        reason: { code: "RouteInStep" },
        controller: "node-route-controller",
        since: NOW - 9,
        drift: "inStep",
        table: "rtb-a",
        asOf: NOW - 5,
        cells: [{ cidr: "10.244.1.0/24", verdict: "keep", route: { id: "r-1" } }],
        condition: { reason: "RouteCreated" },
        lastRun: { outcome: "changed", at: NOW },
      },
    ]);
    expect(counts).toMatchObject({ states: { ok: 1, stuck: 0 }, wanted: 1, inStep: 1 });
  });

  test("keeps what was known of the routes when a run could not look", async () => {
    await write(nodeRoutesState("w-1", { at: NOW }));
    await write(nodeRoutesState("w-1", { at: NOW + 1, state: "unknown", detail: undefined }));
    const { rows } = await list();
    expect(rows).toMatchObject([{ state: "unknown", cells: [{ verdict: "keep" }] }]);
  });

  test("leaves out a node that is gone, whoever saw it go, unless it is asked for", async () => {
    await write(
      nodeRoutesState("w-1"),
      objectState({
        controller: "cloud-node-lifecycle-controller",
        name: "w-1",
        state: "gone",
        reason: { code: "ObjectGone" },
      }),
    );
    expect(await list()).toMatchObject({ rows: [], counts: { wanted: 0, states: { gone: 1 } } });
    expect((await list({ states: ["gone"] })).rows).toMatchObject([{ name: "w-1", state: "gone" }]);
  });

  test("is filtered by state, drift, reason, verdict, table and text", async () => {
    const other = cloudRoute({ id: "r-77", table: "rtb-b", destination: "fd00:2::/64" });
    await write(
      nodeRoutesState("w-1"),
      nodeRoutesState("w-2", {
        ...{ state: "stuck", drift: "drifted", reason: FULL },
        reported: { cells: [missingCell("10.244.2.0/24")] },
      }),
      nodeRoutesState("w-3", {
        reported: {
          cells: [
            routeCell({ cidr: "10.244.3.0/24", route: other }),
            missingCell("fd00:3::/64", { verdict: "foreign", family: "IPv6" }),
          ],
        },
      }),
    );
    const found = async (filter: RoutesFilter) => names((await list(filter)).rows);
    expect(await found({ states: ["stuck"] })).toEqual(["w-2"]);
    expect(await found({ drift: "drifted" })).toEqual(["w-2"]);
    expect(await found({ reason: "RouteTableFull" })).toEqual(["w-2"]);
    expect(await found({ verdicts: ["foreign"] })).toEqual(["w-3"]);
    expect(await found({ verdicts: ["missing", "foreign"] })).toEqual(["w-2", "w-3"]);
    expect(await found({ table: "rtb-b" })).toEqual(["w-3"]);
    for (const text of ["R-77", "FD00:3", "244.3"]) {
      expect(await found({ text }), text).toEqual(["w-3"]);
    }
    expect((await list()).counts).toMatchObject({ drifted: 1, wanted: 4, inStep: 2 });
  });

  test("finds a node by its pod range on the Nodes page, too", async () => {
    await write(objectState({ name: "w-1" }), objectState({ name: "w-2" }), nodeRoutesState("w-1"));
    const page = await listNodes(database.db, {
      ...{ cluster: CLUSTER, filter: { text: "10.244.1" }, limit: 9 },
      sort: { by: "name", descending: false },
    });
    expect(names(page.rows)).toEqual(["w-1"]);
  });

  const ranges = (value: string) => flagSetting({ name: "cluster-cidr", value });
  test.each([
    [[ranges("10.244.0.0/16,fd00:10::/48")], ["IPv4", "IPv6"]],
    [[ranges("fd00:10::/48")], ["IPv6"]],
    [[flagSetting(), ranges("10.244.0.0/16")], ["IPv4"]],
    [[ranges("")], []],
    [[flagSetting()], []],
  ])(
    "has the families of the ranges that the leader has, with a filter as well: %j",
    async (flags, families) => {
      await write(
        heartbeat({ instance: "ctl-2", leader: false }),
        settings({ instance: "ctl-2", flags: [ranges("10.1.0.0/16,fd00:1::/48")] }),
        heartbeat(),
        settings({ flags }),
      );
      expect((await list({ text: "nothing" })).families).toEqual(families);
    },
  );

  test("reports no families before a leader has reported its ranges", async () => {
    await write(nodeRoutesState("w-1"), heartbeat());
    expect((await list()).families).toEqual([]);
  });

  const records = () => [
    nodeRoutesState("a", {
      since: NOW,
      reported: { cells: [routeCell({ route: inTable("rtb-b") })] },
    }),
    nodeRoutesState("b", { since: NOW - 1, state: "waiting" }),
    nodeRoutesState("c", { since: NOW - 2, state: "stuck" }),
    nodeRoutesState("d", { since: NOW - 3, reported: { cells: [] } }),
  ];
  test.each<[RouteSort, readonly string[]]>([
    ["state", ["c", "b", "d", "a"]],
    ["name", ["a", "b", "c", "d"]],
    ["since", ["d", "c", "b", "a"]],
    ["table", ["d", "b", "c", "a"]],
  ])("by %s is paged in its order, both ways", async (by, order) => {
    await write(...records());
    for (const descending of [false, true]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listRoutes(database.db, {
          ...{ cluster: CLUSTER, filter: {}, sort: { by, descending }, cursor, limit: 1 },
        });
        seen.push(...names(page.rows));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(descending ? order.toReversed() : order);
    }
  });

  test("of many nodes comes from an index", async () => {
    await database.db.pool.query(`${FILL}; ANALYZE route_states`);
    const sort = { by: "state", descending: false } as const;
    const input = { cluster: CLUSTER, filter: {}, sort, limit: 50 };
    const { text, values } = pageStatement(objectList(nodeRoutesKind, sort.by), input);
    const { rows } = await database.db.pool.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, [
      ...values,
    ]);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/Index Scan/);
    expect(plan).not.toMatch(/Seq Scan/);
  });
});

describe("the counts of routes", () => {
  test("report stale and foreign ones and the table with the least room", async () => {
    await write(
      nodeRoutesState("w-1"),
      staleRouteState("r-7"),
      staleRouteState("r-8", { state: "gone" }),
      staleRouteState("r-9", { state: "stuck" }),
      tableState("rtb-a", { state: "stuck", reported: { used: 40, foreignCount: 3 } }),
      tableState("rtb-c", { reported: { used: 50, foreignCount: 1 } }),
      tableState("rtb-d", { reported: { capacity: undefined, used: 900 } }),
    );
    expect((await clusterById(database.db, CLUSTER)).routes).toMatchObject({
      stale: 2,
      staleStuck: 1,
      foreign: 4,
      tables: 3,
      tablesStuck: 1,
      fullest: { id: "rtb-c", name: "table rtb-c", used: 50, most: 50 },
    });
    const view = await overview(database.db, { cluster: CLUSTER, now: NOW });
    expect(view.routes).toMatchObject({ wanted: 1, inStep: 1 });
  });

  test("of a cluster without routes are all zero", async () => {
    expect((await clusterById(database.db, CLUSTER)).routes).toEqual({
      states: { stuck: 0, unknown: 0, waiting: 0, working: 0, held: 0, ok: 0, gone: 0 },
      ...{ drifted: 0, wanted: 0, inStep: 0, stale: 0, foreign: 0, tables: 0 },
      ...{ staleStuck: 0, tablesStuck: 0, fullest: undefined },
    });
  });
});

describe("one node's routes", () => {
  test("come with its pod ranges, each controller's own", async () => {
    await write(
      objectState({ name: "w-1", node: nodePart({ createdAt: NOW }) }),
      nodeRangesState("w-1"),
      nodeRoutesState("w-1"),
    );
    const view = await nodeRoutes(database.db, { cluster: CLUSTER, name: "w-1" });
    expect(view).toMatchObject({
      row: { cells: [{ verdict: "keep" }] },
      ranges: { podCIDRs: ["10.244.1.0/24"], pools: [{ used: 3 }] },
      goneAt: undefined,
      openIntents: [],
    });
    const node = await nodeDetail(database.db, { cluster: CLUSTER, name: "w-1" });
    expect(node.routes).toMatchObject({ kind: "routes", cells: [{ cidr: "10.244.1.0/24" }] });
    expect(node.ranges).toMatchObject({ kind: "ranges" });
  });

  test("are undefined where the route controller has not looked", async () => {
    await write(objectState({ name: "w-1" }));
    const view = await nodeRoutes(database.db, { cluster: CLUSTER, name: "w-1" });
    expect(view).toMatchObject({ row: undefined, ranges: undefined });
  });

  test("of an unknown node are not found", async () => {
    await expect(nodeRoutes(database.db, { cluster: CLUSTER, name: "w-9" })).rejects.toMatchObject({
      code: "NotFound",
    });
  });
});

test("nodes that find no room are one problem, and ranges that are used up another", async () => {
  const stuck = { state: "stuck", since: NOW, at: NOW } as const;
  const exhausted = (range: string) =>
    ({ code: "PodCIDRsExhausted", range, capacity: 256 }) as const;
  await write(
    nodeRoutesState("w-1", { ...stuck, reason: FULL }),
    nodeRoutesState("w-2", { ...stuck, reason: { ...FULL, cidr: "10.244.9.0/24" } }),
    nodeRangesState("w-3", { ...stuck, reason: exhausted("10.244.0.0/16") }),
    nodeRangesState("w-4", { ...stuck, reason: exhausted("fd00::/48") }),
    staleRouteState("r-7", { ...stuck, reason: { code: "ProviderUnsupported", ...CALL } }),
  );
  const { problems } = await overview(database.db, { cluster: CLUSTER, now: NOW + 60_000 });
  expect(problems).toHaveLength(4);
  expect(problems).toContainEqual(
    expect.objectContaining({ of: "Node", code: "RouteTableFull", count: 2 }),
  );
  expect(problems).toContainEqual(expect.objectContaining({ of: "Route", count: 1 }));
});

const CALL = { provider: "sandbox", operation: "DELETE /v1/routes" } as const;

function inTable(table: string) {
  return cloudRoute({ table });
}

const FILL = `
  INSERT INTO route_states (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since,
                            failures, drift, last_run_id, last_run_outcome, last_run_at, updated_at, search_text)
  SELECT '${CLUSTER}', kind, 'w-' || n, n::text, '{}', 'ok', 5, '{}', 'InStep', 'c',
         now() - n * interval '1 second', 0, 'inStep', n::text, 'changed', now(), now(), ''
    FROM unnest('{NodeRoutes,Route}'::text[]) AS kind,
         generate_series(1, CASE kind WHEN 'NodeRoutes' THEN 1000 ELSE 3000 END) AS n`;

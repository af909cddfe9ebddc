import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../../testing/cluster-database.ts";
import { CLUSTER, heartbeat, newId, nodePart, objectState } from "../../../testing/records.ts";
import {
  cloudRoute,
  foreignRoute,
  nodeRoutesState,
  routeCell,
  staleRouteState,
  tableState,
} from "../../../testing/route-records.ts";
import { writeRecords } from "../../../testing/write-records.ts";
import { requestIntent } from "../../intents/request-intent.ts";
import { type Fleet, listForeignRoutes } from "../../sql/objects/routes.ts";
import { forecastOf, listRouteTables, listStaleRoutes } from "./routes.ts";

const database = useClusterDatabase();
const DAY = 86_400_000;
const NOW = 1_774_000_000_000;

function write(...records: readonly LedgerRecord[]): Promise<void> {
  return writeRecords(String(database.db.pool.options.connectionString), records);
}

/** Returns a node with a route in a table, registered this many days ago. */
function member(name: string, table: string, daysAgo: number): readonly LedgerRecord[] {
  const cells = [routeCell({ route: cloudRoute({ table }) })];
  const node = nodePart({ createdAt: NOW - daysAgo * DAY });
  return [
    objectState({ name, at: NOW - daysAgo * DAY, node }),
    nodeRoutesState(name, { reported: { cells } }),
  ];
}

function gone(name: string, daysAgo: number): LedgerRecord {
  const at = NOW - daysAgo * DAY;
  return objectState({
    ...{ name, at, since: at, state: "gone", reason: { code: "ObjectGone" } },
    controller: "cloud-node-lifecycle-controller",
  });
}

describe("the tables of a cluster", () => {
  test("come with the least room first, and without their foreign routes", async () => {
    await write(
      tableState("rtb-a", { reported: { used: 10, foreign: [foreignRoute("f-1")] } }),
      tableState("rtb-b", { reported: { used: 49 } }),
      tableState("rtb-c", { reported: { capacity: undefined } }),
      tableState("rtb-d", { state: "gone" }),
    );
    const tables = await listRouteTables(database.db, { cluster: CLUSTER, now: NOW });
    expect(tables.map(({ id }) => id)).toEqual(["rtb-b", "rtb-a", "rtb-c"]);
    expect(tables[1]).toMatchObject({ tableName: "table rtb-a", used: 10, foreignCount: 1 });
    expect(tables[1]).not.toHaveProperty("foreign");
    expect(tables[2]?.forecast).toBeUndefined();
  });

  test("report how many more nodes fit and when that is used up", async () => {
    await write(
      tableState("rtb-a", { reported: { used: 20, ours: 4, missing: 2 } }),
      ...["w-1", "w-2"].flatMap((name) => member(name, "rtb-a", 30)),
      ...member("w-3", "rtb-a", 2),
      ...member("w-4", "rtb-a", 1),
      ...member("w-5", "rtb-a", 30),
      gone("w-5", 3),
    );
    const [table] = await listRouteTables(database.db, { cluster: CLUSTER, now: NOW });
    // 4 nodes now and 3 a week ago.
    expect(table?.forecast?.routesPerNode).toBe(1);
    expect(table?.forecast?.nodesFit).toBe(28);
    expect(table?.forecast?.growth).toEqual({ nodesPerDay: 1 / 7, days: 7 });
    expect(table?.forecast?.fullInDays).toBeCloseTo(28 * 7);
  });

  test("of a cluster of today say nothing of growth", async () => {
    await write(tableState("rtb-a"), ...member("w-1", "rtb-a", 0.5));
    const [table] = await listRouteTables(database.db, { cluster: CLUSTER, now: NOW });
    expect(table?.forecast).toMatchObject({ growth: undefined, fullInDays: undefined });
  });
});

describe("the forecast of a table", () => {
  const table = { id: "rtb-a", used: 40, capacity: 50, ours: 40, missing: 0 };
  const fleet = (over: Partial<Fleet> = {}): Fleet => ({
    days: 7,
    tables: [{ table: "rtb-a", nodes: 20, before: 20 }],
    ...over,
  });
  test.each<[string, { readonly reported?: Partial<typeof table>; readonly of?: Fleet }, object]>([
    ["of dual-stack nodes counts two routes each", {}, { routesPerNode: 2, nodesFit: 5 }],
    ["keeps room for what the current nodes lack", { reported: { missing: 7 } }, { nodesFit: 1 }],
    ["of a full one has room for none", { reported: { used: 50 } }, { nodesFit: 0 }],
    ["of an overfull one has room for none", { reported: { used: 60 } }, { nodesFit: 0 }],
    [
      "of an empty cluster takes a route a node",
      { of: fleet({ tables: [] }) },
      { routesPerNode: 1 },
    ],
    [
      "of a cloud that has each route in every table counts all nodes",
      { reported: { id: "rtb-b" } },
      { routesPerNode: 2 },
    ],
    ["without growth never ends", {}, { fullInDays: undefined }],
    [
      "of a shrinking fleet never ends",
      { of: fleet({ tables: [{ table: "rtb-a", nodes: 20, before: 30 }] }) },
      { fullInDays: undefined },
    ],
    [
      "of a growing one ends when the room is used up",
      { of: fleet({ tables: [{ table: "rtb-a", nodes: 20, before: 13 }] }) },
      { growth: { nodesPerDay: 1, days: 7 }, fullInDays: 5 },
    ],
  ])("%s", (_name, { reported, of = fleet() }, expected) => {
    expect(forecastOf({ ...table, ...reported }, of)).toMatchObject(expected);
  });

  test("is none where the cloud does not say how much there is", () => {
    expect(forecastOf({ ...table, capacity: undefined }, fleet())).toBeUndefined();
  });
});

describe("the foreign routes", () => {
  const list = (filter: object = {}, cursor?: string) =>
    listForeignRoutes(database.db, {
      ...{ cluster: CLUSTER, filter, cursor, limit: 2 },
      sort: { by: "inRange", descending: false },
    });

  test("of all tables are one list, those in our ranges first", async () => {
    await write(
      tableState("rtb-a", {
        reported: {
          foreign: [
            foreignRoute("f-1", { inRange: false, destination: "0.0.0.0/0", nextHop: "igw-1" }),
            foreignRoute("f-2", { destination: "10.244.9.0/24", owner: "cluster blue" }),
          ],
        },
      }),
      tableState("rtb-b", {
        reported: {
          foreign: [foreignRoute("f-3", { destination: "10.244.8.0/24", blackhole: true })],
        },
      }),
      tableState("rtb-c", { state: "gone", reported: { foreign: [foreignRoute("f-4")] } }),
    );
    const first = await list();
    expect(first.rows.map(({ id }) => id)).toEqual(["f-3", "f-2"]);
    expect(first.rows[0]).toMatchObject({
      table: "rtb-b",
      tableName: "table rtb-b",
      blackhole: true,
    });
    expect(first.total).toEqual({ kind: "exact", count: 3 });
    expect((await list({}, first.nextCursor)).rows).toMatchObject([
      { id: "f-1", nextHop: "igw-1" },
    ]);
    expect((await list({ text: "BLUE" })).rows).toMatchObject([{ id: "f-2" }]);
    expect((await list({ table: "rtb-b" })).rows).toMatchObject([{ id: "f-3" }]);
  });

  test("that were counted and not listed are reported", async () => {
    await write(
      tableState("rtb-a", { reported: { foreign: [foreignRoute("f-1")], foreignCount: 700 } }),
    );
    expect((await list()).unlisted).toBe(699);
  });
});

test("stale routes are listed until they are gone", async () => {
  await write(
    staleRouteState("r-7", { since: NOW }),
    staleRouteState("r-8", { since: NOW - 1, reported: { owner: "w-old" } }),
    staleRouteState("r-9", { state: "gone" }),
  );
  const list = (text?: string) =>
    listStaleRoutes(database.db, {
      ...{ cluster: CLUSTER, filter: { text }, limit: 9 },
      sort: { by: "since", descending: false },
    });
  expect((await list()).rows).toMatchObject([
    { name: "r-8", detail: { owner: "w-old" } },
    { name: "r-7", reason: { code: "RouteStale", why: "nodeGone" } },
  ]);
  expect((await list("W-OLD")).rows).toMatchObject([{ name: "r-8", openIntents: [] }]);
});

test("a stale route shows who has requested its retry", async () => {
  await write(heartbeat(), staleRouteState("r-7"), staleRouteState("r-8"));
  const actor = { id: "u-1", name: "ana", role: "operator" } as const;
  await requestIntent(
    { db: database.db, actor },
    {
      ...{ id: newId(), cluster: CLUSTER, kind: "retry", why: "INC-88" },
      controller: "node-route-controller",
      object: { kind: "Route", name: "r-8", uid: "r-8" },
    },
  );
  const { rows } = await listStaleRoutes(database.db, {
    ...{ cluster: CLUSTER, filter: {}, limit: 9 },
    sort: { by: "name", descending: false },
  });
  expect(rows).toMatchObject([
    { name: "r-7", openIntents: [] },
    { name: "r-8", openIntents: [{ kind: "retry", state: "requested" }] },
  ]);
});

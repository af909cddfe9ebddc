import { OBJECT_KINDS, objectKind, SHARED_TABLE } from "@cloudwright/core/model/kinds/kinds";
import { describe, expect, test, vi } from "vitest";
import { useClusterDatabase } from "../../../testing/cluster-database.ts";
import { CLUSTER, objectState } from "../../../testing/records.ts";
import { nodeRoutesState } from "../../../testing/route-records.ts";
import { writeRecords } from "../../../testing/write-records.ts";
import { columnName } from "../stored-json.ts";
import { objectByName } from "./object-rows.ts";
import { listObjects } from "./objects.ts";

const database = useClusterDatabase();

function write(...records: Parameters<typeof writeRecords>[1]): Promise<void> {
  return writeRecords(String(database.db.pool.options.connectionString), records);
}

test.each(OBJECT_KINDS.map((kind) => [kind.name, kind] as const))(
  "the table of a %s has the columns of its definition, and those of all objects",
  async (_name, { table, columns }) => {
    const { rows } = await database.db.pool.query<{ column_name: string; data_type: string }>(
      "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = $1",
      [table],
    );
    const types = new Map(rows.map((row) => [row.column_name, row.data_type]));
    for (const [name, { type }] of Object.entries(columns)) {
      expect(types.get(columnName(name)), name).toBe(SQL_TYPES[type]);
    }
    const { rowCount } = await database.db.pool.query(
      "SELECT FROM pg_class WHERE oid = $1::regclass AND (relname = $2 OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = $2::regclass))",
      [table, SHARED_TABLE],
    );
    expect(rowCount).toBe(1);
  },
);

const SQL_TYPES = {
  text: "text",
  "text[]": "ARRAY",
  uuid: "uuid",
  int: "integer",
  smallint: "smallint",
  bigint: "bigint",
  float8: "double precision",
  boolean: "boolean",
  jsonb: "jsonb",
  time: "timestamp with time zone",
} as const;

describe("a kind that this release does not know", () => {
  const namespace = objectKind("Namespace");
  const list = (filter: object = {}) =>
    listObjects(database.db, namespace, {
      ...{ cluster: CLUSTER, filter, limit: 50 },
      sort: { by: "name", descending: false },
    });

  test("is stored, counted, listed, searched and shown by the columns that all objects have", async () => {
    await write(
      objectState({ kind: "Namespace", name: "team-10", state: "stuck", createdAt: 5_000 }),
      objectState({ kind: "Namespace", name: "team-9", state: "ok", drift: "drifted" }),
      objectState({ name: "w-1" }),
    );
    const page = await list();
    expect(page.rows.map(({ name }) => name)).toEqual(["team-9", "team-10"]);
    expect(page.counts).toMatchObject({ states: { stuck: 1, ok: 1, gone: 0 }, drifted: 1 });
    expect((await list({ text: "TEAM-1" })).rows).toMatchObject([
      { name: "team-10", state: "stuck" },
    ]);
    const key = { cluster: CLUSTER, name: "team-10", notFound: () => "None." };
    expect(await objectByName(database.db, namespace, key)).toMatchObject({ createdAt: 5_000 });
  });

  test("merges later reports", async () => {
    await write(objectState({ kind: "Namespace", name: "team", at: 10, state: "stuck" }));
    await write(objectState({ kind: "Namespace", name: "team", at: 5, state: "ok" }));
    expect((await list()).rows).toMatchObject([{ state: "stuck" }]);
    await write(objectState({ kind: "Namespace", name: "team", at: 20, state: "ok" }));
    expect((await list()).rows).toMatchObject([{ state: "ok" }]);
  });
});

test("the routes of a node that was replaced go with it", async () => {
  const routes = async () => {
    const { rows } = await database.db.pool.query("SELECT name FROM route_states ORDER BY name");
    return rows.map(({ name }) => name);
  };
  await write(nodeRoutesState("w-1", { at: 10 }), nodeRoutesState("w-2", { at: 10 }));
  expect(await routes()).toEqual(["w-1", "w-2"]);
  await write(objectState({ name: "w-1", uid: "another", at: 20 }));
  expect(await routes()).toEqual(["w-2"]);
});

test("a state that is reported again is stored next to its old version, so that no index is touched", async () => {
  const report = (at: number) =>
    write(
      ...Array.from({ length: 60 }, (_, node) => objectState({ name: `w-${node}`, at, since: 1 })),
    );
  await report(10);
  await report(20);
  const { updated, inPlace } = await vi.waitFor(async () => {
    const { rows } = await database.db.pool.query<{ updated: number; inPlace: number }>(
      `SELECT n_tup_upd::int AS updated, n_tup_hot_upd::int AS "inPlace"
         FROM pg_stat_user_tables WHERE relname = 'node_states'`,
    );
    expect(rows[0]?.updated).toBe(60);
    return rows[0] ?? { updated: 0, inPlace: 0 };
  }, 20_000);
  expect(inPlace / updated).toBeGreaterThan(0.9);
});

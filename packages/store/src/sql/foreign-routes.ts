import type pg from "pg";
import type { Database } from "../database/database.ts";
import type { ForeignFilter, ForeignPage, ForeignRouteRow, ForeignSort } from "../views/routes.ts";
import type { ListInput } from "../views/views.ts";
import { contains, equals } from "./conditions.ts";
import { type KeyColumn, type List, readList } from "./list.ts";
import { orUndefined } from "./stored-json.ts";

/** Routes in the cluster's tables that are not ours. Throws OperationError Invalid for a bad limit or cursor. */
export async function listForeignRoutes(
  { pool }: Database,
  input: ListInput<ForeignFilter, ForeignSort>,
): Promise<ForeignPage> {
  const [page, unlisted] = await Promise.all([
    readList(pool, FOREIGN_ROUTES, input),
    countUnlisted(pool, input.cluster),
  ]);
  return { ...page, unlisted };
}

const PLACE: readonly KeyColumn<StoredForeign>[] = [
  { expression: "destination", type: "text", value: (row) => row.destination },
  { expression: "table_id", type: "text", value: (row) => row.table_id },
  { expression: "id", type: "text", value: (row) => row.id },
];

const FOREIGN_ROUTES: List<StoredForeign, ForeignRouteRow, ForeignFilter, ForeignSort> = {
  ...{ name: "foreign-routes", scope: "cluster_id" },
  // Each table's row has its foreign routes in its detail.
  table: `(
    SELECT cluster_id, tables.name AS table_id, COALESCE(detail ->> 'tableName', tables.name) AS table_name,
           (route ->> 'id') COLLATE "C" AS id, COALESCE(route ->> 'name', '') AS name,
           COALESCE(route ->> 'destination', '') COLLATE "C" AS destination, route ->> 'nextHop' AS next_hop,
           route ->> 'owner' AS owner, COALESCE((route ->> 'blackhole')::boolean, false) AS blackhole,
           COALESCE((route ->> 'inRange')::boolean, false) AS in_range
      FROM all_states AS tables, jsonb_path_query(tables.detail, '$.foreign[*]') AS route
     WHERE tables.kind = 'RouteTable' AND tables.state <> 'gone'
  ) AS foreign_routes`,
  columns: "table_id, table_name, id, name, destination, next_hop, owner, blackhole, in_range",
  filters: {
    text: contains("lower(concat_ws(' ', id, name, destination, next_hop, owner))"),
    table: equals("table_id"),
  },
  orders: {
    // Those among our own ranges first: they are the ones that stand in a node's way.
    inRange: [
      {
        expression: "(CASE WHEN in_range THEN 0 ELSE 1 END)",
        type: "number",
        value: (row) => (row.in_range ? 0 : 1),
      },
      ...PLACE,
    ],
    destination: PLACE,
  },
  view: foreignRow,
};

interface StoredForeign {
  readonly table_id: string;
  readonly table_name: string;
  readonly id: string;
  readonly name: string;
  readonly destination: string;
  readonly next_hop: string | null;
  readonly owner: string | null;
  readonly blackhole: boolean;
  readonly in_range: boolean;
}

function foreignRow(row: StoredForeign): ForeignRouteRow {
  return {
    table: row.table_id,
    tableName: row.table_name,
    id: row.id,
    name: row.name,
    destination: row.destination,
    nextHop: orUndefined(row.next_hop),
    owner: orUndefined(row.owner),
    blackhole: row.blackhole,
    inRange: row.in_range,
  };
}

async function countUnlisted(pool: pg.Pool, cluster: string): Promise<number> {
  const { rows } = await pool.query<{ unlisted: number }>(
    `SELECT COALESCE(sum((detail ->> 'foreignCount')::int - jsonb_array_length(detail -> 'foreign')), 0)::int AS unlisted
       FROM all_states
      WHERE cluster_id = $1 AND kind = 'RouteTable' AND state <> 'gone' AND jsonb_typeof(detail -> 'foreign') = 'array'`,
    [cluster],
  );
  return Math.max(0, rows[0]?.unlisted ?? 0);
}

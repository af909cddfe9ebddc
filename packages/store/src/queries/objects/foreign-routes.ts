import type pg from "pg";
import type { Database } from "../../database/database.ts";
import { type KeyColumn, type KeysetQuery, keysetPage, sqlConditions } from "../../sql/keyset.ts";
import { orUndefined } from "../../sql/stored-json.ts";
import type {
  ForeignFilter,
  ForeignPage,
  ForeignRouteRow,
  ForeignSort,
} from "../../views/routes.ts";
import type { ListInput } from "../../views/views.ts";

/** Routes in the cluster's tables that are not ours. Throws OperationError Invalid for a bad limit or cursor. */
export async function listForeignRoutes(
  db: Database,
  input: ListInput<ForeignFilter, ForeignSort>,
): Promise<ForeignPage> {
  const [page, unlisted] = await Promise.all([
    keysetPage(foreignQuery(db.pool, input)),
    countUnlisted(db.pool, input.cluster),
  ]);
  return { ...page, unlisted };
}

/** Each table's row has its foreign routes in its detail. */
const FOREIGN_ROUTES = `(
  SELECT cluster_id, tables.name AS table_id, COALESCE(detail ->> 'tableName', tables.name) AS table_name,
         (route ->> 'id') COLLATE "C" AS id, COALESCE(route ->> 'name', '') AS name,
         COALESCE(route ->> 'destination', '') COLLATE "C" AS destination, route ->> 'nextHop' AS next_hop,
         route ->> 'owner' AS owner, COALESCE((route ->> 'blackhole')::boolean, false) AS blackhole,
         COALESCE((route ->> 'inRange')::boolean, false) AS in_range
    FROM all_states AS tables, jsonb_path_query(tables.detail, '$.foreign[*]') AS route
   WHERE tables.kind = 'RouteTable' AND tables.state <> 'gone'
) AS foreign_routes`;

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

const PLACE: readonly KeyColumn<StoredForeign>[] = [
  { expression: "destination", type: "text", value: (row) => row.destination },
  { expression: "table_id", type: "text", value: (row) => row.table_id },
  { expression: "id", type: "text", value: (row) => row.id },
];

const ORDERS: Record<ForeignSort, readonly KeyColumn<StoredForeign>[]> = {
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
};

function foreignQuery(
  pool: pg.Pool,
  input: ListInput<ForeignFilter, ForeignSort>,
): KeysetQuery<StoredForeign, ForeignRouteRow> {
  const where = sqlConditions();
  where.texts.push(`cluster_id = ${where.bind(input.cluster)}`);
  const { text = "", table } = input.filter;
  if (text !== "") {
    const words = "lower(concat_ws(' ', id, name, destination, next_hop, owner))";
    where.texts.push(`strpos(${words}, ${where.bind(text.toLowerCase())}) > 0`);
  }
  if (table !== undefined) where.texts.push(`table_id = ${where.bind(table)}`);
  return {
    pool,
    table: FOREIGN_ROUTES,
    columns: "table_id, table_name, id, name, destination, next_hop, owner, blackhole, in_range",
    where,
    order: ORDERS[input.sort.by],
    descending: input.sort.descending,
    binding: {
      list: "foreign-routes",
      cluster: input.cluster,
      filter: input.filter,
      sort: input.sort,
    },
    cursor: input.cursor,
    limit: input.limit,
    view: foreignRow,
  };
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

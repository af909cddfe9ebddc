import {
  nodeRoutesKind,
  routeTableKind,
  staleRouteKind,
} from "@cloudwright/core/model/kinds/route";
import type pg from "pg";
import type { Database } from "../../database/database.ts";
import type {
  ForeignFilter,
  ForeignPage,
  ForeignRouteRow,
  ForeignSort,
  RouteCounts,
  RoutesPage,
} from "../../views/routes.ts";
import type { ListInput, ObjectCounts } from "../../views/views.ts";
import { contains, equals } from "../lists/conditions.ts";
import { type KeyColumn, type List, readList } from "../lists/list.ts";
import {
  asIs,
  asOptionalText,
  asText,
  type StoredRow,
  sqlKinds,
  storedColumns,
} from "../stored-json.ts";

/* By hand: sums, and members of JSON that stay in the database. */

/** The counts of a cluster's routes, other than nodes by state. */
export type RouteSums = Omit<RouteCounts, keyof ObjectCounts>;

export const NO_ROUTES: RouteSums = {
  ...{ wanted: 0, inStep: 0, stale: 0, staleStuck: 0, foreign: 0, tables: 0, tablesStuck: 0 },
  fullest: undefined,
};

/** Returns the sums by cluster, for clusters that have routes or tables. */
export async function sumRoutes(
  pool: pg.Pool,
  clusters: readonly string[],
): Promise<ReadonlyMap<string, RouteSums>> {
  const [nodes, cloud] = await Promise.all([
    pool.query<NodesCounted>(OF_NODES, [clusters]),
    pool.query<CloudCounted>(OF_CLOUD, [clusters]),
  ]);
  const sums = new Map<string, RouteSums>();
  for (const { cluster, wanted, kept } of nodes.rows) {
    sums.set(cluster, { ...NO_ROUTES, wanted, inStep: kept });
  }
  for (const { cluster, tables, ...counts } of cloud.rows) {
    sums.set(cluster, {
      ...(sums.get(cluster) ?? NO_ROUTES),
      ...counts,
      foreign: tables.reduce((total, { foreign }) => total + foreign, 0),
      tables: tables.length,
      fullest: fullestOf(tables),
    });
  }
  return sums;
}

const OF_NODES = `
  SELECT cluster_id AS cluster, COALESCE(sum(routes_wanted), 0)::int AS wanted, COALESCE(sum(routes_kept), 0)::int AS kept
    FROM route_states
   WHERE cluster_id = ANY($1::text[]) AND kind = ${sqlKinds(nodeRoutesKind)} AND state <> 'gone'
   GROUP BY cluster_id`;

interface NodesCounted {
  readonly cluster: string;
  readonly wanted: number;
  readonly kept: number;
}

const OF_CLOUD = `
  SELECT cluster_id AS cluster, (count(*) FILTER (WHERE kind = ${sqlKinds(staleRouteKind)}))::int AS stale,
         (count(*) FILTER (WHERE kind = ${sqlKinds(staleRouteKind)} AND state = 'stuck'))::int AS "staleStuck",
         (count(*) FILTER (WHERE kind = ${sqlKinds(routeTableKind)} AND state = 'stuck'))::int AS "tablesStuck",
         COALESCE(jsonb_agg(jsonb_build_object(
           'id', name, 'name', COALESCE(detail ->> 'tableName', name), 'used', COALESCE((detail ->> 'used')::int, 0),
           'most', (detail ->> 'capacity')::int, 'foreign', COALESCE((detail ->> 'foreignCount')::int, 0)))
           FILTER (WHERE kind = ${sqlKinds(routeTableKind)}), '[]') AS tables
    FROM all_states
   WHERE cluster_id = ANY($1::text[]) AND kind IN (${sqlKinds(staleRouteKind, routeTableKind)}) AND state <> 'gone'
   GROUP BY cluster_id`;

interface CloudCounted {
  readonly cluster: string;
  readonly stale: number;
  readonly staleStuck: number;
  readonly tablesStuck: number;
  readonly tables: readonly {
    readonly id: string;
    readonly name: string;
    readonly used: number;
    readonly most: number | null;
    readonly foreign: number;
  }[];
}

function fullestOf(tables: CloudCounted["tables"]): RouteCounts["fullest"] {
  const limited = tables.flatMap(({ id, name, used, most }) =>
    most === null ? [] : [{ id, name, used, most }],
  );
  return limited.toSorted(
    (left, right) =>
      left.most - left.used - (right.most - right.used) || (left.id < right.id ? -1 : 1),
  )[0];
}

/** Returns the families of the leader's `--cluster-cidr`, IPv4 first. A dry run's counts only if nobody else leads. */
export async function rangeFamilies(
  pool: pg.Pool,
  cluster: string,
): Promise<RoutesPage["families"]> {
  const { rows } = await pool.query<{ readonly ranges: string | null }>(OF_LEADER, [cluster]);
  const ranges = (rows[0]?.ranges ?? "").split(",").filter((range) => range.trim() !== "");
  const isSix = (range: string) => range.includes(":");
  return [
    ...(ranges.some((range) => !isSix(range)) ? (["IPv4"] as const) : []),
    ...(ranges.some(isSix) ? (["IPv6"] as const) : []),
  ];
}

/** Only this flag leaves the database: a process has some two hundred, each with its help text. */
const OF_LEADER = `
  SELECT jsonb_path_query_first(settings.flags, '$[*] ? (@.name == "cluster-cidr").value') #>> '{}' AS ranges
    FROM controller_settings AS settings
    JOIN controller_instances AS instances USING (cluster_id, identity)
   WHERE settings.cluster_id = $1 AND instances.leader
   ORDER BY instances.dry_run, instances.lease_transitions DESC NULLS LAST, instances.heard_at DESC
   LIMIT 1`;

/** Returns the route tables of a cluster, without the foreign routes, which can be many and have their own list. */
export async function readRouteTables(
  pool: pg.Pool,
  cluster: string,
): Promise<readonly StoredTable[]> {
  const { rows } = await pool.query<StoredTable>(
    `SELECT name, state, reason, since, detail || '{"foreign": []}'::jsonb AS detail
       FROM all_states WHERE cluster_id = $1 AND kind = ${sqlKinds(routeTableKind)} AND state <> 'gone'`,
    [cluster],
  );
  return rows;
}

export interface StoredTable {
  readonly name: string;
  readonly state: string;
  readonly reason: unknown;
  readonly since: Date;
  readonly detail: unknown;
}

const DAY_MS = 86_400_000;
const DAYS_BACK = 7;

/** How many nodes have a route in each table, now and at the start of the growth period. */
export interface Fleet {
  readonly days: number;
  readonly tables: readonly {
    readonly table: string;
    readonly nodes: number;
    readonly before: number;
  }[];
}

/**
 * Computes the number of nodes a week ago from when the current ones, and those gone since, were registered. The first day of a cluster is
 * its setup, and not growth.
 */
export async function readFleet(pool: pg.Pool, cluster: string, now: number): Promise<Fleet> {
  const { rows } = await pool.query<Fleet["tables"][number] & { readonly started: Date | null }>(
    // Otherwise a planner whose statistics do not include a recent wave computes it for each node.
    `WITH stretch AS MATERIALIZED (
       SELECT CASE WHEN count(created_at) > 0 THEN greatest(
                to_timestamp($2::float8 / 1000) - interval '${DAYS_BACK} days',
                min(created_at) + interval '1 day') END AS started
         FROM node_states WHERE cluster_id = $1
     )
     SELECT COALESCE("table", '') AS table, started, (count(*) FILTER (WHERE state <> 'gone'))::int AS nodes,
            (count(*) FILTER (WHERE COALESCE(created_at, '-infinity') <= started
                                AND (gone_at IS NULL OR gone_at > started)))::int AS before
       FROM route_states, stretch
      WHERE cluster_id = $1 AND kind = ${sqlKinds(nodeRoutesKind)}
      GROUP BY 1, started`,
    [cluster, now],
  );
  const started = rows[0]?.started?.getTime() ?? now;
  const tables = rows.map(({ table, nodes, before }) => ({ table, nodes, before }));
  return { days: (now - started) / DAY_MS, tables };
}

/** Lists the routes in the cluster's tables that are not ours. Throws OperationError Invalid for a bad limit or cursor. */
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

const PLACE: readonly KeyColumn[] = ["destination", "table_id", "id"].map((expression) => ({
  expression,
  type: "text",
}));

const FOREIGN = storedColumns({
  tableId: asText,
  tableName: asText,
  id: asText,
  name: asText,
  destination: asText,
  nextHop: asOptionalText,
  owner: asOptionalText,
  blackhole: asIs<boolean>,
  inRange: asIs<boolean>,
});

export const FOREIGN_ROUTES: List<ForeignRouteRow, ForeignFilter, ForeignSort> = {
  ...{ name: "foreign-routes", scope: "cluster_id" },
  // Each table's row has its foreign routes in its detail.
  table: `(
    SELECT cluster_id, tables.name AS table_id, COALESCE(detail ->> 'tableName', tables.name) AS table_name,
           (route ->> 'id') COLLATE "C" AS id, COALESCE(route ->> 'name', '') AS name,
           COALESCE(route ->> 'destination', '') COLLATE "C" AS destination, route ->> 'nextHop' AS next_hop,
           route ->> 'owner' AS owner, COALESCE((route ->> 'blackhole')::boolean, false) AS blackhole,
           COALESCE((route ->> 'inRange')::boolean, false) AS in_range
      FROM all_states AS tables, jsonb_path_query(tables.detail, '$.foreign[*]') AS route
     WHERE tables.kind = ${sqlKinds(routeTableKind)} AND tables.state <> 'gone'
  ) AS foreign_routes`,
  columns: FOREIGN.columns,
  filters: {
    text: contains("lower(concat_ws(' ', id, name, destination, next_hop, owner))"),
    table: equals("table_id"),
  },
  orders: {
    // Routes within our own ranges first: they are the ones that block a node.
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

function foreignRow(row: StoredRow): ForeignRouteRow {
  const { tableId: table, ...route } = FOREIGN.read(row);
  return { table, ...route };
}

async function countUnlisted(pool: pg.Pool, cluster: string): Promise<number> {
  const { rows } = await pool.query<{ unlisted: number }>(
    `SELECT COALESCE(sum((detail ->> 'foreignCount')::int - jsonb_array_length(detail -> 'foreign')), 0)::int AS unlisted
       FROM all_states
      WHERE cluster_id = $1 AND kind = ${sqlKinds(routeTableKind)} AND state <> 'gone' AND jsonb_typeof(detail -> 'foreign') = 'array'`,
    [cluster],
  );
  return Math.max(0, rows[0]?.unlisted ?? 0);
}

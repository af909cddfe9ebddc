import { routeTableDetailSchema } from "@cloudwright/core/model/records/route-record";
import { stateSchema } from "@cloudwright/core/model/state";
import type pg from "pg";
import type { Database } from "../../database/database.ts";
import { readJson, readReason } from "../../sql/stored-json.ts";
import type { RouteForecast, RouteTableView } from "../../views/routes.ts";

const DAY_MS = 86_400_000;
const DAYS_BACK = 7;

/**
 * The route tables of a cluster, the one with the least room first. `now` is the server's time: from how many nodes came
 * and went in the last 7 days it is told how long the room of each lasts.
 */
export async function listRouteTables(
  db: Database,
  { cluster, now }: { readonly cluster: string; readonly now: number },
): Promise<readonly RouteTableView[]> {
  const [stored, fleet] = await Promise.all([
    db.pool.query<StoredTable>(TABLES, [cluster]),
    fleetOf(db.pool, cluster, now),
  ]);
  return stored.rows
    .flatMap((row) => tableView(row, fleet))
    .toSorted((left, right) => roomOf(left) - roomOf(right) || (left.id < right.id ? -1 : 1));
}

/** Without the foreign routes, which can be many and have a list of their own. */
const TABLES = `
  SELECT name, state, reason, since, detail || '{"foreign": []}'::jsonb AS detail
    FROM all_states WHERE cluster_id = $1 AND kind = 'RouteTable' AND state <> 'gone'`;

interface StoredTable {
  readonly name: string;
  readonly state: string;
  readonly reason: unknown;
  readonly since: Date;
  readonly detail: unknown;
}

function tableView(row: StoredTable, fleet: Fleet): readonly RouteTableView[] {
  const detail = readJson(routeTableDetailSchema, row.detail, undefined);
  if (detail === undefined) return [];
  const { kind: _kind, foreign: _foreign, ...numbers } = detail;
  return [
    {
      ...numbers,
      id: row.name,
      state: readJson(stateSchema, row.state, "unknown"),
      reason: readReason(row.reason),
      since: row.since.getTime(),
      forecast: forecastOf({ ...numbers, id: row.name }, fleet),
    },
  ];
}

/** How many nodes have a route in which table, now and when the stretch began that growth is told from. */
export interface Fleet {
  readonly days: number;
  readonly tables: readonly {
    readonly table: string;
    readonly nodes: number;
    readonly before: number;
  }[];
}

/**
 * How many nodes there were a week ago is told by when those of now, and those that have gone since, were registered. The
 * first day of a cluster is how it was made, and no growth.
 */
async function fleetOf(pool: pg.Pool, cluster: string, now: number): Promise<Fleet> {
  const { rows } = await pool.query<Fleet["tables"][number] & { readonly started: Date | null }>(
    // Else a planner whose statistics do not know of a wave yet works it out anew for each node.
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
      WHERE cluster_id = $1 AND kind = 'NodeRoutes'
      GROUP BY 1, started`,
    [cluster, now],
  );
  const started = rows[0]?.started?.getTime() ?? now;
  const tables = rows.map(({ table, nodes, before }) => ({ table, nodes, before }));
  return { days: (now - started) / DAY_MS, tables };
}

/** Pure. Of a cloud that has every route in each of its tables, all nodes count for each. */
export function forecastOf(
  table: Pick<RouteTableView, "id" | "used" | "capacity" | "ours" | "missing">,
  { days, tables }: Fleet,
): RouteForecast | undefined {
  if (table.capacity === undefined) return undefined;
  const own = tables.filter(({ table: id, nodes }) => id === table.id && nodes > 0);
  const counted = own.length > 0 ? own : tables.filter(({ table: id }) => id !== "");
  const sum = (of: (row: Fleet["tables"][number]) => number) =>
    counted.reduce((total, row) => total + of(row), 0);
  const nodes = sum((row) => row.nodes);
  const routesPerNode = nodes === 0 ? 1 : Math.max(1, Math.round(table.ours / nodes));
  const room = Math.max(0, table.capacity - table.used - table.missing);
  const nodesFit = Math.floor(room / routesPerNode);
  const growth =
    days < 1 ? undefined : { nodesPerDay: (nodes - sum((row) => row.before)) / days, days };
  const isGrowing = growth !== undefined && growth.nodesPerDay > 0;
  const fullInDays = isGrowing ? nodesFit / growth.nodesPerDay : undefined;
  return { routesPerNode, nodesFit, growth, fullInDays };
}

function roomOf({ capacity, used }: RouteTableView): number {
  return capacity === undefined ? Number.MAX_SAFE_INTEGER : capacity - used;
}

import { nodeRoutesKind } from "@cloudwright/core/model/kinds/route";
import type pg from "pg";
import { countObjects } from "../../sql/objects.ts";
import type { RouteCounts } from "../../views/routes.ts";

/** How the routes of a cluster stand; of one without routes all is zero. */
export async function countRoutes(pool: pg.Pool, cluster: string): Promise<RouteCounts> {
  const [counts, nodes, cloud] = await Promise.all([
    countObjects(pool, nodeRoutesKind, cluster),
    pool.query<NodesCounted>(OF_NODES, [cluster]),
    pool.query<CloudCounted>(OF_CLOUD, [cluster]),
  ]);
  const { wanted = 0, kept = 0 } = nodes.rows[0] ?? {};
  const { stale = 0, staleStuck = 0, tablesStuck = 0, tables = [] } = cloud.rows[0] ?? {};
  return {
    ...counts,
    wanted,
    inStep: kept,
    stale,
    staleStuck,
    foreign: tables.reduce((total, { foreign }) => total + foreign, 0),
    tables: tables.length,
    tablesStuck,
    fullest: fullestOf(tables),
  };
}

const OF_NODES = `
  SELECT COALESCE(sum(routes_wanted), 0)::int AS wanted, COALESCE(sum(routes_kept), 0)::int AS kept
    FROM route_states
   WHERE cluster_id = $1 AND kind = 'NodeRoutes' AND state <> 'gone'`;

interface NodesCounted {
  readonly wanted: number;
  readonly kept: number;
}

const OF_CLOUD = `
  SELECT (count(*) FILTER (WHERE kind = 'Route'))::int AS stale,
         (count(*) FILTER (WHERE kind = 'Route' AND state = 'stuck'))::int AS "staleStuck",
         (count(*) FILTER (WHERE kind = 'RouteTable' AND state = 'stuck'))::int AS "tablesStuck",
         COALESCE(jsonb_agg(jsonb_build_object(
           'id', name, 'name', COALESCE(detail ->> 'tableName', name), 'used', COALESCE((detail ->> 'used')::int, 0),
           'most', (detail ->> 'capacity')::int, 'foreign', COALESCE((detail ->> 'foreignCount')::int, 0)))
           FILTER (WHERE kind = 'RouteTable'), '[]') AS tables
    FROM all_states
   WHERE cluster_id = $1 AND kind IN ('Route', 'RouteTable') AND state <> 'gone'`;

interface CloudCounted {
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

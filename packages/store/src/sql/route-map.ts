import { nodeRoutesKind } from "@cloudwright/core/model/kinds/route";
import { ROUTE_VERDICTS } from "@cloudwright/core/model/records/route-record";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import {
  ROUTE_MAP_MOST,
  type RouteMapCell,
  type RouteMapNode,
  type RouteMapView,
} from "../views/routes.ts";
import { readJson, sqlKinds } from "./stored-json.ts";

/* Members of JSON that stay in the database: of a node's routes the map shows three words, and thousands of nodes at once. */

/** Every node that is not gone with its pod ranges, for the map of the route tables. */
export async function routeMap(
  { pool }: Pick<Database, "pool">,
  { cluster }: { readonly cluster: string },
): Promise<RouteMapView> {
  const { rows } = await pool.query<StoredNode>(STATEMENT, [cluster]);
  return {
    nodes: rows.slice(0, ROUTE_MAP_MOST).map(mapNode),
    isCut: rows.length > ROUTE_MAP_MOST,
  };
}

const STATEMENT = `
  SELECT name, "table",
         ARRAY(SELECT jsonb_build_array(cell -> 'cidr', cell -> 'verdict', cell #> '{route,table}')
                 FROM jsonb_path_query(detail, '$.cells[*]') AS cell) AS cells
    FROM route_states
   WHERE cluster_id = $1 AND kind = ${sqlKinds(nodeRoutesKind)} AND state <> 'gone'
   ORDER BY name_key, name
   LIMIT ${ROUTE_MAP_MOST + 1}`;

interface StoredNode {
  readonly name: string;
  readonly table: string | null;
  readonly cells: readonly unknown[];
}

const CELL = z.tuple([z.string(), z.enum(ROUTE_VERDICTS), z.string().nullable()]);

function mapNode({ name, table, cells }: StoredNode): RouteMapNode {
  return { name, cells: cells.flatMap((cell) => mapCell(cell, table)) };
}

/** None of a cell that a newer version has written in other words. */
function mapCell(stored: unknown, ofNode: string | null): readonly RouteMapCell[] {
  const cell = readJson(CELL, stored, undefined);
  if (cell === undefined) return [];
  const [cidr, verdict, own] = cell;
  const table = own ?? ofNode;
  return [{ cidr, verdict, ...(table === null ? {} : { table }) }];
}

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

/** A Node has a pod range of each family, and no more. Members by their place are found in half the time that a path needs for all. */
const PLACES = [0, 1];

function membersOf(place: number): string {
  const member = (path: string) => `detail #>> '{cells,${place},${path}}'`;
  return `${member("cidr")}, ${member("verdict")}, ${member("route,table")}`;
}

const STATEMENT = `
  SELECT name, "table", ARRAY[${PLACES.map(membersOf).join(", ")}] AS members,
         CASE WHEN detail #> '{cells,${PLACES.length}}' IS NOT NULL
              THEN ARRAY(SELECT jsonb_build_array(cell -> 'cidr', cell -> 'verdict', cell #> '{route,table}')
                           FROM jsonb_path_query(detail, '$.cells[${PLACES.length} to last]') AS cell) END AS more
    FROM route_states
   WHERE cluster_id = $1 AND kind = ${sqlKinds(nodeRoutesKind)} AND state <> 'gone'
   ORDER BY name_key, name
   LIMIT ${ROUTE_MAP_MOST + 1}`;

interface StoredNode {
  readonly name: string;
  readonly table: string | null;
  /** Of the first cells, three of each; null of one that is not there. */
  readonly members: readonly (string | null)[];
  /** All others. */
  readonly more: readonly unknown[] | null;
}

const CELL = z.tuple([z.string(), z.enum(ROUTE_VERDICTS), z.string().nullable()]);

function mapNode({ name, table, members, more }: StoredNode): RouteMapNode {
  const first = PLACES.map((place) => members.slice(3 * place, 3 * place + 3));
  return { name, cells: [...first, ...(more ?? [])].flatMap((cell) => mapCell(cell, table)) };
}

/** None of a cell that a newer version has written in other words. */
function mapCell(stored: unknown, ofNode: string | null): readonly RouteMapCell[] {
  const cell = readJson(CELL, stored, undefined);
  if (cell === undefined) return [];
  const [cidr, verdict, own] = cell;
  const table = own ?? ofNode;
  return [{ cidr, verdict, ...(table === null ? {} : { table }) }];
}

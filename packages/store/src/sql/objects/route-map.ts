import { nodeRoutesKind } from "@cloudwright/core/model/kinds/route";
import { ROUTE_VERDICTS, type RouteVerdict } from "@cloudwright/core/model/records/route-record";
import type { Database } from "../../database/database.ts";
import { ROUTE_MAP_MOST, type RouteMapColumns } from "../../views/route-map.ts";
import { sqlKinds } from "../stored-json.ts";
import { WordList } from "./word-list.ts";

/*
 * By hand: a generated column, and members of JSON that stay in the database: the map shows three words per route, for thousands of nodes
 * at once.
 */

/** Returns every node that is not gone, with its pod ranges, for the map of the route tables. */
export async function routeMap(
  { pool }: Pick<Database, "pool">,
  { cluster }: { readonly cluster: string },
): Promise<RouteMapColumns> {
  const { rows } = await pool.query<StoredNode>(STATEMENT, [cluster]);
  return {
    ...columnsOf(rows.slice(0, ROUTE_MAP_MOST)),
    isCut: rows.length > ROUTE_MAP_MOST,
  };
}

/** The few details are looked up after the sort: carried through it, those of every node would make it spill to disk. */
const STATEMENT = `
  SELECT name, "table", map_cells,
         CASE WHEN map_cells IS NULL
              THEN (SELECT jsonb_agg(jsonb_build_array(cell -> 'cidr', cell -> 'verdict', cell #> '{route,table}'))
                      FROM route_states AS own, jsonb_path_query(own.detail, '$.cells[*]') AS cell
                     WHERE own.cluster_id = node.cluster_id AND own.kind = node.kind AND own.name = node.name) END AS detailed
    FROM route_states AS node
   WHERE cluster_id = $1 AND kind = ${sqlKinds(nodeRoutesKind)} AND state <> 'gone'
   ORDER BY name_key, name
   LIMIT ${ROUTE_MAP_MOST + 1}`;

interface StoredNode {
  readonly name: string;
  readonly table: string | null;
  /** Range, verdict and table of each cell, as the database has joined them. */
  readonly map_cells: string | null;
  /** All cells of a node without that text: it has no range, or more than one of a family. */
  readonly detailed: readonly (readonly unknown[])[] | null;
}

/** Reads three words per cell. In a plain loop: for thousands of nodes, arrays of three each take five times as long. */
function columnsOf(nodes: readonly StoredNode[]): Omit<RouteMapColumns, "isCut"> {
  const list = new WordList();
  const cidrs: string[] = [];
  const verdicts: RouteVerdict[] = [];
  const tables: number[] = [];
  const cellCounts = nodes.map((node) => {
    const words = wordsOf(node);
    const before = cidrs.length;
    for (let at = 0; at < words.length; at += 3) {
      const cidr = words[at];
      const verdict = VERDICTS.get(words[at + 1]);
      // Skips a cell that a newer release has written in another form.
      if (typeof cidr !== "string" || verdict === undefined) continue;
      cidrs.push(cidr);
      verdicts.push(verdict);
      tables.push(list.placeOf(tableOf(words[at + 2], node.table)));
    }
    return cidrs.length - before;
  });
  const names = nodes.map(({ name }) => name);
  return { words: list.words, names, cellCounts, cidrs, verdicts, tables };
}

function wordsOf({ map_cells: kept, detailed }: StoredNode): readonly unknown[] {
  return kept === null ? (detailed ?? []).flat() : kept.split(SEPARATOR);
}

const SEPARATOR = "\u001f";

function tableOf(own: unknown, ofNode: string | null): string | null {
  return typeof own === "string" && own !== "" ? own : ofNode;
}

/** A map, as a schema takes longer and there are thousands. */
const VERDICTS: ReadonlyMap<unknown, RouteVerdict> = new Map(
  ROUTE_VERDICTS.map((verdict) => [verdict, verdict]),
);

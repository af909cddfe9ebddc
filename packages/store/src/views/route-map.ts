import type { RouteVerdict } from "@cloudwright/core/model/records/route-record";
import { wordAt } from "./columns.ts";

/** The nodes of the map of the route tables, by name; at most `ROUTE_MAP_MOST`. */
export interface RouteMapView {
  readonly nodes: readonly RouteMapNode[];
  /** Whether there are more nodes than the map holds. */
  readonly isCut: boolean;
}

export const ROUTE_MAP_MOST = 10_000;

export interface RouteMapNode {
  readonly name: string;
  readonly cells: readonly RouteMapCell[];
}

export interface RouteMapCell {
  readonly cidr: string;
  readonly verdict: RouteVerdict;
  /** The id of its route's table; without a route, the table of the node's other routes. */
  readonly table?: string;
}

/** The map as the dashboard's server sends it: a list for each member, as thousands of objects take it twice as long. */
export interface RouteMapColumns {
  /** The ids of the route tables. */
  readonly words: readonly string[];
  readonly names: readonly string[];
  /** How many cells each node has, in the order of names. */
  readonly cellCounts: readonly number[];
  /** The range of each cell, node after node. */
  readonly cidrs: readonly string[];
  readonly verdicts: readonly RouteVerdict[];
  /** The table of each cell, by its place among the words. */
  readonly tables: readonly number[];
  readonly isCut: boolean;
}

export function routeMapOf(columns: RouteMapColumns): RouteMapView {
  const { names, cellCounts, isCut } = columns;
  const cells = cellsOf(columns);
  let end = 0;
  const nodes = names.map((name, node) => {
    const start = end;
    end += cellCounts[node] ?? 0;
    return { name, cells: cells.slice(start, end) };
  });
  return { nodes, isCut };
}

function cellsOf({ cidrs, verdicts, tables, words }: RouteMapColumns): readonly RouteMapCell[] {
  return verdicts.map((verdict, cell) => {
    const table = wordAt(words, tables[cell]);
    return { cidr: cidrs[cell] ?? "", verdict, ...(table === undefined ? {} : { table }) };
  });
}

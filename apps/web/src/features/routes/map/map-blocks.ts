import { ROUTE_VERDICTS, type RouteVerdict } from "@cloudwright/core/model/records/route-record";
import type { RouteMapCell, RouteMapNode } from "@cloudwright/store/views/route-map";
import type { RouteTableView } from "@cloudwright/store/views/routes";
import type { RoutesView } from "../routes-url.ts";

/** A route table with the nodes whose routes are in it. */
export interface MapBlock {
  /** Undefined for the routes that are in no table yet. */
  readonly id: string | undefined;
  /** Undefined if the cloud has not reported the table. */
  readonly table: RouteTableView | undefined;
  /** The rows that match the filter, those with the worst cells first. */
  readonly rows: readonly MapRow[];
  /** For all its nodes, whatever the filter. */
  readonly counts: Readonly<Record<RouteVerdict, number>>;
  readonly nodes: number;
}

export interface MapRow {
  readonly node: string;
  readonly IPv4: readonly RouteMapCell[];
  readonly IPv6: readonly RouteMapCell[];
}

export type Family = "IPv4" | "IPv6";

export type MapFilter = Pick<RoutesView, "text" | "drift" | "verdicts" | "table">;

/** The verdicts that users look for first. */
const WORST_FIRST: readonly RouteVerdict[] = [
  ...(["missing", "blackhole", "foreign", "update"] as const),
  ...(["add", "remove", "keep"] as const),
];

/** Returns a block for each table: routes without a table first, then the tables in the given order, with the least room first. */
export function mapBlocks(
  nodes: readonly RouteMapNode[],
  tables: readonly RouteTableView[],
  filter: MapFilter,
): readonly MapBlock[] {
  const rows = rowsByTable(nodes);
  const known = tables.map(({ id }) => id);
  const unreported = [...rows.keys()].filter((id) => id !== undefined && !known.includes(id));
  const ids = [...(rows.has(undefined) ? [undefined] : []), ...known, ...unreported];
  return ids
    .filter((id) => filter.table === undefined || id === filter.table)
    .map((id) => blockOf(id, rows.get(id) ?? [], { tables, filter }));
}

/** Returns the ids by which a block's cells are opened, in display order. */
export function cellIds({ rows }: MapBlock): readonly string[] {
  return rows.flatMap((row) => cellsOfRow(row).map(({ cidr }) => `${row.node}/${cidr}`));
}

/** A node belongs to each table that has one of its routes; nodes without a pod range belong to none. */
function rowsByTable(
  nodes: readonly RouteMapNode[],
): ReadonlyMap<string | undefined, readonly MapRow[]> {
  const rows = new Map<string | undefined, MapRow[]>();
  for (const { name, cells } of nodes) {
    const tables = new Set(cells.map(({ table }) => table));
    for (const table of tables.size === 0 ? [undefined] : tables) {
      const own = cells.filter((cell) => cell.table === table);
      const row = {
        node: name,
        IPv4: own.filter(({ cidr }) => !cidr.includes(":")),
        IPv6: own.filter(({ cidr }) => cidr.includes(":")),
      };
      const others = rows.get(table);
      if (others === undefined) rows.set(table, [row]);
      else others.push(row);
    }
  }
  return rows;
}

function blockOf(
  id: string | undefined,
  rows: readonly MapRow[],
  { tables, filter }: { readonly tables: readonly RouteTableView[]; readonly filter: MapFilter },
): MapBlock {
  const counts = Object.fromEntries(ROUTE_VERDICTS.map((verdict) => [verdict, 0])) as Record<
    RouteVerdict,
    number
  >;
  for (const { verdict } of rows.flatMap(cellsOfRow)) counts[verdict] += 1;
  const shown = rows.filter((row) => matches(row, filter));
  return {
    id,
    table: tables.find((table) => table.id === id),
    // The sort is stable, so equal rows stay in the order of their names.
    rows: shown.toSorted((left, right) => rankOf(left) - rankOf(right)),
    counts,
    nodes: rows.length,
  };
}

function matches(row: MapRow, { text, drift, verdicts }: MapFilter): boolean {
  const cells = cellsOfRow(row);
  const sought = text.trim().toLowerCase();
  const differs = cells.some(({ verdict }) => verdict !== "keep");
  if (drift === "drifted" && !differs) return false;
  if (drift === "inStep" && differs) return false;
  if (verdicts.length > 0 && !cells.some(({ verdict }) => verdicts.includes(verdict))) return false;
  return [row.node, ...cells.map(({ cidr }) => cidr)].some((each) =>
    each.toLowerCase().includes(sought),
  );
}

function rankOf(row: MapRow): number {
  const ranks = cellsOfRow(row).map(({ verdict }) => WORST_FIRST.indexOf(verdict));
  return Math.min(WORST_FIRST.length, ...ranks);
}

function cellsOfRow({ IPv4, IPv6 }: MapRow): readonly RouteMapCell[] {
  return [...IPv4, ...IPv6];
}

/** Counts what is not as it should be in a block, worst first: `2 missing`, `1 not ours`. */
export function differencesOf({ counts }: Pick<MapBlock, "counts">): readonly {
  readonly verdict: RouteVerdict;
  readonly count: number;
}[] {
  return WORST_FIRST.filter((verdict) => verdict !== "keep" && counts[verdict] > 0).map(
    (verdict) => ({ verdict, count: counts[verdict] }),
  );
}

/** Returns the map's columns: the families that any node has; IPv4 if none is known. */
export function familiesOf(nodes: readonly RouteMapNode[]): readonly Family[] {
  const isSix = ({ cidr }: RouteMapCell) => cidr.includes(":");
  const hasSix = nodes.some(({ cells }) => cells.some(isSix));
  const hasFour = nodes.some(({ cells }) => cells.some((cell) => !isSix(cell)));
  return [
    ...(hasFour || !hasSix ? (["IPv4"] as const) : []),
    ...(hasSix ? (["IPv6"] as const) : []),
  ];
}

import type { RouteCell } from "@cloudwright/core/model/route-record";
import type { RouteRow, RoutesPage } from "@cloudwright/store/route-views";

/** A row of the matrix: the head of a table's block, or a node in it. */
export type MatrixRow =
  | { readonly kind: "table"; readonly table: string | undefined }
  | { readonly kind: "node"; readonly row: RouteRow };

/** Nodes in the order of their tables, each block below its head. */
export function matrixRows(rows: readonly RouteRow[]): readonly MatrixRow[] {
  return rows.flatMap((row, index): readonly MatrixRow[] => {
    const node = { kind: "node", row } as const;
    const isFirst = index === 0 || rows[index - 1]?.table !== row.table;
    return isFirst ? [{ kind: "table", table: row.table }, node] : [node];
  });
}

/** Tells one cell of a node from another: a range may have the route that it should, and one that it should not. */
export function cellKey({ cidr, verdict, route }: RouteCell): string {
  return [cidr, verdict, route?.id ?? ""].join(" ");
}

/** Cells with keys that stay while verdicts and routes change: each is told by its place among those of its range. */
export function placedCells(
  cells: readonly RouteCell[],
): readonly { readonly key: string; readonly cell: RouteCell }[] {
  const seen = new Map<string, number>();
  return cells.map((cell) => {
    const place = seen.get(cell.cidr) ?? 0;
    seen.set(cell.cidr, place + 1);
    return { key: `${cell.cidr} ${place}`, cell };
  });
}

export function cellsOf(row: RouteRow, family: RouteCell["family"]): readonly RouteCell[] {
  return row.cells.filter((cell) => cell.family === family);
}

/**
 * Those of the cluster's ranges, and those that a node has all the same: a column must not come with the page that the first of
 * them is on. IPv4 has its column where nothing is known.
 */
export function familiesOf(
  rows: readonly RouteRow[],
  ofCluster: RoutesPage["families"],
): RoutesPage["families"] {
  const found = (["IPv4", "IPv6"] as const).filter(
    (family) => ofCluster.includes(family) || rows.some((row) => cellsOf(row, family).length > 0),
  );
  return found.length === 0 ? ["IPv4"] : found;
}

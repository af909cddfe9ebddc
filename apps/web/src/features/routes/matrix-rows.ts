import type { RouteCell } from "@cloudwright/core/model/records/route-record";
import type { RouteRow, RoutesPage } from "@cloudwright/store/views/routes";

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

import type { RouteCell } from "@cloudwright/core/model/route-record";
import type { RouteRow } from "@cloudwright/store/route-views";

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

export function cellsOf(row: RouteRow, family: RouteCell["family"]): readonly RouteCell[] {
  return row.cells.filter((cell) => cell.family === family);
}

/** IPv4 has its column even while there is nothing in it. */
export function familiesOf(rows: readonly RouteRow[]): readonly RouteCell["family"][] {
  const isDual = rows.some((row) => row.cells.some(({ family }) => family === "IPv6"));
  return isDual ? ["IPv4", "IPv6"] : ["IPv4"];
}

"use client";
import { useMemo } from "react";
import { useHiddenColumns } from "../../components/columns-menu.tsx";
import { DataTable } from "../../components/table/data-table.tsx";
import { selectionColumn } from "../nodes/selection-column.tsx";
import { routeColumns } from "./route-columns.tsx";
import { peeked, sortedBy } from "./routes-url.ts";
import type { RowsProps } from "./rows-props.ts";
import { useTables } from "./use-routes.ts";

/** One line for each node. */
export function RoutesList({
  cluster,
  view,
  push,
  rows,
  selection,
  peek,
  total,
  isOld,
  onNearEnd,
}: RowsProps) {
  const hidden = useHiddenColumns("routes");
  const { data: tables } = useTables(cluster);
  const columns = useMemo(
    () => [selectionColumn(selection, rows), ...routeColumns(cluster, tables)],
    [selection, rows, cluster, tables],
  );
  return (
    <DataTable
      label="Routes"
      columns={columns}
      hidden={hidden}
      rows={rows}
      total={total}
      rowKey={({ uid }) => uid}
      rowTone={({ state }) => state}
      sort={view.sort}
      onSort={(by) => push((now) => sortedBy(now, by))}
      onNearEnd={onNearEnd}
      stale={isOld}
      folds="always"
      onSpace={(row) => (row.state === "gone" ? undefined : selection.toggle(row))}
      peek={{ ...peek, current: peeked(peek.current).node, idOf: ({ name }) => name }}
    />
  );
}

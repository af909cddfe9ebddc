"use client";
import { useMemo } from "react";
import { useHiddenColumns } from "../../components/columns-menu.tsx";
import { DataTable } from "../../components/table/data-table.tsx";
import { sortedBy } from "../../platform/lists/list-view.ts";
import { nameOf, stateOf, uidOf } from "../../platform/lists/row-keys.ts";
import { selectionColumn } from "../../platform/lists/selection-column.tsx";
import { exactCount } from "../../platform/lists/use-loaded-rows.ts";
import { useTables } from "../../platform/objects/route-tables.ts";
import { routeColumns } from "./route-columns.tsx";
import { peeked } from "./routes-url.ts";
import type { RowsProps } from "./rows-props.ts";

/** One line for each node. */
export function RoutesList({ cluster, view, push, list, selection, peek }: RowsProps) {
  const hidden = useHiddenColumns("routes");
  const { data: tables } = useTables(cluster);
  const columns = useMemo(
    () => [selectionColumn(selection, list.rows), ...routeColumns(cluster, tables)],
    [selection, list.rows, cluster, tables],
  );
  return (
    <DataTable
      label="Routes"
      columns={columns}
      hidden={hidden}
      rows={list.rows}
      total={exactCount(list.total)}
      rowKey={uidOf}
      rowTone={stateOf}
      sort={view.sort}
      onSort={(by) => push((now) => sortedBy(now, by))}
      onNearEnd={list.onNearEnd}
      stale={list.isOfBefore}
      reading={list.reading}
      beginning={list.beginning}
      folds="always"
      onSpace={selection.toggle}
      peek={{ ...peek, current: peeked(peek.current).node, idOf: nameOf }}
    />
  );
}

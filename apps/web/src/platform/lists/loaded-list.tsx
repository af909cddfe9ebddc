"use client";
import type { RowData } from "@tanstack/react-table";
import type { ReactNode } from "react";
import { PeekLayout } from "../../components/peek-panel/peek-panel.tsx";
import { DataTable, type DataTableProps } from "../../components/table/data-table.tsx";
import { ListFooter } from "./list-footer.tsx";
import { ListWaiting } from "./list-waiting.tsx";
import { exactCount, type LoadedRows } from "./use-loaded-rows.ts";

export interface LoadedListProps<Row extends RowData, Sort extends string>
  extends Omit<
    DataTableProps<Row, Sort>,
    "rows" | "total" | "onNearEnd" | "stale" | "reading" | "beginning" | "headOf"
  > {
  readonly list: LoadedRows<Row>;
  /** `load balancer`, for one of the rows. */
  readonly thing: string;
  readonly isFiltered: boolean;
  /** Stands in the place of the table when there is no row. */
  readonly empty: ReactNode;
  readonly above?: ReactNode;
  readonly below?: ReactNode;
  /** What one of the rows is about. */
  readonly beside?: ReactNode;
}

/** A list that is loaded page after page: its rows, how many there are, and what came meanwhile. */
export function LoadedList<Row extends RowData, Sort extends string>({
  list,
  thing,
  isFiltered,
  empty,
  above,
  below,
  beside = null,
  ...table
}: LoadedListProps<Row, Sort>) {
  if (list.query.data === undefined) return <ListWaiting query={list.query} />;
  return (
    <PeekLayout peek={beside}>
      {list.rows.length === 0 ? (
        empty
      ) : (
        <>
          {above}
          <DataTable
            {...table}
            rows={list.rows}
            total={exactCount(list.total)}
            onNearEnd={list.onNearEnd}
            stale={list.isOfBefore}
            reading={list.reading}
            beginning={list.beginning}
          />
          {below}
          <ListFooter thing={thing} list={list} isFiltered={isFiltered} />
        </>
      )}
    </PeekLayout>
  );
}

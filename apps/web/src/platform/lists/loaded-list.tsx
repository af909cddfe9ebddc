"use client";
import { t } from "@cloudwright/core/model/language/text";

import type { RowData } from "@tanstack/react-table";
import type { ReactNode } from "react";
import { Button } from "../../components/button/button.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/page/panel-states.tsx";
import { type PendingQuery, useFailure } from "../../components/page/use-failure.ts";
import { PeekLayout } from "../../components/peek-panel/peek-panel.tsx";

import { DataTable, type DataTableProps, NewRows } from "../../components/table/data-table.tsx";
import listFooter from "../../components/table/list-footer.module.css";
import { countOfRows, type ListThing, listWords } from "./list-words.ts";
import styles from "./loaded-list.module.css";
import { exactCount, type LoadedRows } from "./use-loaded-rows.ts";

export interface LoadedListProps<Row extends RowData, Sort extends string>
  extends Omit<
    DataTableProps<Row, Sort>,
    "rows" | "total" | "onNearEnd" | "stale" | "reading" | "beginning" | "headOf"
  > {
  readonly list: LoadedRows<Row>;
  /** The noun for one of the rows, such as `load balancer`. */
  readonly thing: ListThing;
  readonly isFiltered: boolean;
  /** Shown instead of the table if there are no rows. */
  readonly empty: ReactNode;
  readonly above?: ReactNode;
  /** Another layout of the rows, instead of the table. */
  readonly laidOut?: ReactNode;
  readonly below?: ReactNode;
  /** The panel for one of the rows. */
  readonly beside?: ReactNode;
}

/** A list that is loaded page by page: its rows, their number, and rows that arrived in the meantime. */
export function LoadedList<Row extends RowData, Sort extends string>({
  list,
  thing,
  isFiltered,
  empty,
  above,
  laidOut,
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
          {laidOut ?? (
            <DataTable
              {...table}
              rows={list.rows}
              total={exactCount(list.total)}
              onNearEnd={list.onNearEnd}
              stale={list.isOfBefore}
              reading={list.reading}
              beginning={list.beginning}
            />
          )}
          {below}
          <ListFooter thing={thing} list={list} isFiltered={isFiltered} />
        </>
      )}
    </PeekLayout>
  );
}

/** Shown in place of a list that is still loading. */
export function ListWaiting({ query }: { readonly query: PendingQuery }) {
  const failure = useFailure(query);
  if (failure === undefined) return <Skeleton lines={12} />;
  return (
    <div className={styles.failed}>
      <ErrorState {...failure} />
    </div>
  );
}

/** How many rows a list has, whether more are loading, and what arrived during reading. */
export function ListFooter({
  thing,
  list: { total, fresh, show, isLoadingMore },
  isFiltered,
}: {
  /** The noun for one of the rows, such as `load balancer`. */
  readonly thing: ListThing;
  readonly list: Omit<LoadedRows<unknown>, "rows">;
  readonly isFiltered: boolean;
}) {
  return (
    <div className={listFooter.withButtons}>
      <p role="status" className="flex wrap gap-1-4">
        <span>{total === undefined ? "" : countOfRows(total, thing, isFiltered)}</span>
        {isLoadingMore ? <span>{t`Loading more…`}</span> : null}
      </p>
      <NewRows total={{ kind: "exact", count: fresh }} onShow={show} />
    </div>
  );
}

export interface EmptyListProps {
  /** The noun for one of the rows, such as `load balancer`. */
  readonly thing: ListThing;
  readonly title?: string;
  /** The label of the button that clears the filter. */
  readonly all?: string;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  /** Shown if the list would be empty without a filter as well. */
  readonly none: ReactNode;
}

/** Replaces a list without rows: either the filter leaves everything out, or there is nothing. */
export function EmptyList({
  thing,
  title = listWords(thing).none,
  all = listWords(thing).all,
  isFiltered,
  onClear,
  none,
}: EmptyListProps) {
  if (!isFiltered) return none;
  return (
    <EmptyState title={title}>
      <Button onClick={onClear}>{all}</Button>
    </EmptyState>
  );
}

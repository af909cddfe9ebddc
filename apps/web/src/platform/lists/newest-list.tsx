"use client";
import type { Total } from "@cloudwright/store/views/views";
import type { RowData } from "@tanstack/react-table";
import type { ReactNode } from "react";
import { useHiddenColumns } from "../../components/menu/hidden-columns.ts";
import type { PendingQuery } from "../../components/page/use-failure.ts";
import {
  countText,
  DataTable,
  type DataTableProps,
  NewRows,
} from "../../components/table/data-table.tsx";
import listFooter from "../../components/table/list-footer.module.css";
import { ListWaiting } from "./loaded-list.tsx";
import { exactCount } from "./use-loaded-rows.ts";

/** The rows of a record that grows at its top: what was added since it was opened is counted, and joins it on demand. */
export interface NewestRows<Row> {
  readonly query: PendingQuery & { readonly isPlaceholderData: boolean };
  readonly rows: readonly Row[] | undefined;
  readonly total: Total | undefined;
  readonly fresh: {
    /** By the server's clock, milliseconds since the epoch. */
    readonly shownUntil: number;
    readonly total: Total | undefined;
    readonly show: () => void;
  };
  readonly onNearEnd: () => void;
}

interface NewestListProps<Row extends RowData>
  extends Pick<DataTableProps<Row, string>, "label" | "columns" | "rowKey" | "peek"> {
  readonly newest: NewestRows<Row>;
  /** The key of the user's hidden columns. */
  readonly table: string;
  readonly thing: { readonly one: string; readonly many: string };
  /** Whether the number of all rows is known, so that each has its position among them. */
  readonly isCounted?: boolean;
  /** Shown instead of the table if there are no rows. */
  readonly empty?: ReactNode;
}

/** A list of such a record, newest first. */
export function NewestList<Row extends RowData>({
  newest: { query, rows, total, fresh, onNearEnd },
  table,
  thing,
  isCounted = false,
  empty,
  ...list
}: NewestListProps<Row>) {
  const hidden = useHiddenColumns(table);
  if (rows === undefined) return <ListWaiting query={query} />;
  return (
    <>
      {rows.length === 0 ? (
        empty
      ) : (
        <DataTable
          {...list}
          hidden={hidden}
          rows={rows}
          total={isCounted ? exactCount(total) : undefined}
          onNearEnd={onNearEnd}
          stale={query.isPlaceholderData}
          folds="always"
          beginning={fresh.shownUntil}
        />
      )}
      <div className={listFooter.withButtons}>
        <p role="status">{total === undefined ? "" : countText(total, thing.one, thing.many)}</p>
        <NewRows total={fresh.total} onShow={fresh.show} />
      </div>
    </>
  );
}

"use client";
import { type ReactNode, useMemo } from "react";
import { useHiddenColumns } from "../../components/columns-menu.tsx";
import { usePeek } from "../../components/peek-panel/use-peek.ts";
import type { Column } from "../../components/table/column.ts";
import type { Folds } from "../../components/table/use-row-height.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";
import type { ActionChoice } from "../actions/action-choice.ts";
import type { BulkOf } from "../actions/bulk-choice.ts";
import type { ListProps } from "./list-props.ts";
import { type ListView, sortedBy } from "./list-view.ts";
import { LoadedList } from "./loaded-list.tsx";
import { nameOf, stateOf, uidOf } from "./row-keys.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { selectionColumn } from "./selection-column.tsx";
import { type PagedQuery, useLoadedRows } from "./use-loaded-rows.ts";
import { type SelectableRow, useSelection } from "./use-selection.ts";

interface RecordListProps<Row extends SelectableRow, View extends ListView>
  extends ListProps<View> {
  readonly label: string;
  /** `load balancer`, for one of the rows. */
  readonly thing: string;
  readonly of: BulkOf;
  /** Under this name the columns that a person hides are kept. */
  readonly table: string;
  readonly query: PagedQuery<Row>;
  readonly url: UrlCodec<View>;
  readonly isFiltered: boolean;
  readonly columns: readonly Column<Row, View["sort"]["by"]>[];
  readonly folds: Folds;
  /** The same function each time. */
  readonly retryOf: (row: Row) => ActionChoice;
  /** Stands in the place of the table when there is no row. */
  readonly empty: ReactNode;
  /** What is shown beside the list of the row of this name. */
  readonly beside: (name: string, onClose: () => void) => ReactNode;
}

/** A list of what controllers look after: rows can be chosen and retried together, and one of them is looked at beside it. */
export function RecordList<Row extends SelectableRow, View extends ListView>({
  cluster,
  view,
  push,
  replace,
  of,
  table,
  query,
  url,
  columns,
  retryOf,
  beside,
  ...list
}: RecordListProps<Row, View>) {
  const peek = usePeek({ view, push, replace });
  const hidden = useHiddenColumns(table);
  const what = url.format({ ...view, peek: undefined });
  const loaded = useLoadedRows(query, { what, keyOf: uidOf });
  const selection = useSelection(retryOf);
  const selectable = useMemo(
    () => [selectionColumn(selection, loaded.rows), ...columns],
    [selection, loaded.rows, columns],
  );
  return (
    <LoadedList
      {...list}
      list={loaded}
      above={<SelectionBar cluster={cluster} selection={selection} of={of} />}
      beside={
        peek.current === undefined ? null : beside(peek.current, () => peek.onPeek(undefined))
      }
      columns={selectable}
      hidden={hidden}
      rowKey={uidOf}
      rowTone={stateOf}
      sort={view.sort}
      onSort={(by) => push((now) => sortedBy(now, by))}
      onSpace={selection.toggle}
      peek={{ ...peek, idOf: nameOf }}
    />
  );
}

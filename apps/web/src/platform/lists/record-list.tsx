"use client";
import type { State } from "@cloudwright/core/model/state";
import { type ReactNode, useCallback, useMemo } from "react";
import { ColumnsMenu, useHiddenColumns } from "../../components/menu/columns-menu.tsx";
import page from "../../components/page/page.module.css";
import { usePeek } from "../../components/peek-panel/use-peek.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import type { Column } from "../../components/table/column.ts";
import type { Folds } from "../../components/table/use-row-height.ts";
import type { ActionChoice } from "../actions/action-choice.ts";
import type { BulkOf } from "../actions/bulk-choice.ts";
import { StateCounters } from "./counters.tsx";
import { ListToolbar } from "./list-toolbar.tsx";
import {
  type ListProps,
  type ListUrl,
  type ListView,
  nameOf,
  sortedBy,
  stateOf,
  toggleFaults,
  toggleState,
  uidOf,
} from "./list-view.ts";
import { EmptyList, LoadedList } from "./loaded-list.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { selectionColumn } from "./selection-column.tsx";
import { type PagedQuery, useLoadedRows } from "./use-loaded-rows.ts";
import { type SelectableRow, useSelection } from "./use-selection.ts";

/** What one list of what controllers look after gives of its own. */
export interface RecordListOf<Row extends SelectableRow, View extends ListView> {
  readonly label: string;
  /** `load balancer`, for one of the rows. */
  readonly thing: string;
  readonly of: BulkOf;
  /** Under this name the columns that a user hides are kept. */
  readonly table: string;
  /** What a text is looked for in. */
  readonly placeholder: string;
  readonly url: ListUrl<View>;
  readonly columns: (cluster: string) => readonly Column<Row, View["sort"]["by"]>[];
  readonly folds: Folds;
  readonly retryOf: (row: Row, cluster: string) => ActionChoice;
  /** Stands in the place of the table while nothing has been seen. */
  readonly none: ReactNode;
  /** What is shown beside the list of the row of this name. */
  readonly beside: (row: BesideProps) => ReactNode;
}

export interface BesideProps {
  readonly cluster: string;
  readonly name: string;
  readonly onClose: () => void;
}

interface RecordListProps<Row extends SelectableRow, View extends ListView>
  extends ListProps<View> {
  readonly list: RecordListOf<Row, View>;
  readonly query: PagedQuery<Row>;
}

/** A list with the states to choose from, its filters and its columns; each page says only what is its own. */
export function RecordSection<Row extends SelectableRow, View extends ListView>({
  counts,
  filters,
  note,
  ...props
}: RecordListProps<Row, View> & {
  readonly counts: Readonly<Record<State, number>> | undefined;
  /** Those of this list alone. */
  readonly filters?: ReactNode;
  /** Stands between the filters and the list. */
  readonly note?: ReactNode;
}) {
  const { cluster, view, push, replace, list, query } = props;
  useShortcuts({ f: () => push(toggleFaults), r: () => void query.refetch() });
  return (
    <>
      <StateCounters
        counts={counts}
        chosen={view.states}
        onToggle={(state) => push((now) => toggleState(now, state))}
      />
      <ListToolbar
        things={`${list.thing}s`}
        placeholder={list.placeholder}
        {...{ view, push, replace }}
        url={list.url}
        layout={<ColumnsMenu table={list.table} columns={list.columns(cluster)} />}
      >
        {filters}
      </ListToolbar>
      {note}
      <div className={page.tableCard}>
        <RecordList {...props} />
      </div>
    </>
  );
}

/** The rows: they can be chosen and retried together, and one of them is looked at beside the list. */
function RecordList<Row extends SelectableRow, View extends ListView>({
  cluster,
  view,
  push,
  replace,
  list,
  query,
}: RecordListProps<Row, View>) {
  const { label, thing, of, table, url, folds } = list;
  const peek = usePeek({ view, push, replace });
  const hidden = useHiddenColumns(table);
  const loaded = useLoadedRows(query, {
    what: url.format({ ...view, peek: undefined }),
    keyOf: uidOf,
  });
  const selection = useSelection(
    useCallback((row: Row) => list.retryOf(row, cluster), [list, cluster]),
  );
  const columns = useMemo(
    () => [selectionColumn(selection, loaded.rows), ...list.columns(cluster)],
    [selection, loaded.rows, list, cluster],
  );
  const isFiltered = url.isFiltered(view);
  const onClear = () => push(url.withoutFilters);
  const onClose = () => peek.onPeek(undefined);
  return (
    <LoadedList
      {...{ label, thing, folds, columns, hidden, isFiltered }}
      list={loaded}
      empty={<EmptyList {...{ thing, isFiltered, onClear }} none={list.none} />}
      above={<SelectionBar cluster={cluster} selection={selection} of={of} />}
      beside={
        peek.current === undefined ? null : list.beside({ cluster, name: peek.current, onClose })
      }
      rowKey={uidOf}
      rowTone={stateOf}
      sort={view.sort}
      onSort={(by) => push((now) => sortedBy(now, by))}
      onSpace={selection.toggle}
      peek={{ ...peek, idOf: nameOf }}
    />
  );
}

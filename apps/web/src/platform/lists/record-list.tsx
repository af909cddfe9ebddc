"use client";
import type { State } from "@cloudwright/core/model/state";
import { type ComponentType, type ReactNode, useCallback, useMemo } from "react";
import { useHiddenColumns } from "../../components/menu/hidden-columns.ts";
import page from "../../components/page/page.module.css";
import { type Peek, usePeek } from "../../components/peek-panel/use-peek.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import type { Column } from "../../components/table/column.ts";
import type { Folds } from "../../components/table/rows/use-row-height.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useFetched } from "../../components/use-fetched.ts";
import type { ActionChoice } from "../actions/action-choice.ts";
import { bulkActionsOf } from "../actions/bulk-actions.ts";
import type { BulkOf } from "../actions/bulk-choice.ts";
import { StateCounters } from "./counters.tsx";
import { ListMenus } from "./list-menus.tsx";
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
import type { ListThing } from "./list-words.ts";
import { EmptyList, type EmptyListProps, LoadedList } from "./loaded-list.tsx";
import { ChosenRows, SelectionBar, selectionColumn } from "./selection-bar.tsx";
import { type LoadedRows, type PagedQuery, useLoadedRows } from "./use-loaded-rows.ts";
import { type SelectableRow, type Selection, useSelection } from "./use-selection.ts";

/** What one list of managed objects adds of its own. */
export interface RecordListOf<Row extends SelectableRow, View extends ListView> {
  readonly label: string;
  /** The noun for one of the rows, such as `load balancer`. */
  readonly thing: ListThing;
  /** What the filter's label names, if it is not the plural of `thing`. */
  readonly things?: string;
  /** Shown if none matches, if it cannot be derived from `thing`. */
  readonly matchless?: Pick<EmptyListProps, "title" | "all">;
  readonly of: BulkOf;
  /** The list's name on the server, which also keys the user's hidden columns. */
  readonly table: string;
  /** Names the fields that the text is searched in. */
  readonly placeholder: string;
  readonly url: ListUrl<View>;
  readonly columns: (cluster: string) => readonly Column<Row, View["sort"]["by"]>[];
  readonly folds: Folds;
  readonly retryOf: (row: Row, cluster: string) => ActionChoice;
  /** Shown instead of the table while nothing has been seen. */
  readonly none: ReactNode;
  /** Loads the panel for a row, given its name; it is fetched when a row is opened. It must be the same function on each render. */
  readonly beside: () => Promise<ComponentType<BesideProps>>;
  /** Extracts the name of the open row, if the address says more than that. */
  readonly peekedName?: (peek: string) => string | undefined;
}

/** The data for a layout of the rows other than the table. */
export interface LayoutProps<Row extends SelectableRow> {
  readonly list: LoadedRows<Row>;
  readonly selection: Selection<Row>;
  readonly peek: Peek;
}

export interface BesideProps {
  readonly name: string;
  readonly onClose: () => void;
}

interface RecordListProps<Row extends SelectableRow, View extends ListView>
  extends ListProps<View> {
  readonly list: RecordListOf<Row, View>;
  readonly query: PagedQuery<Row>;
  /** Another layout of the rows; by default, the table. */
  readonly layOut?: ((props: LayoutProps<Row>) => ReactNode) | undefined;
}

/** A list with its state counters, filters and columns; each page adds only what is its own. */
export function RecordSection<Row extends SelectableRow, View extends ListView>({
  counts,
  filters,
  layouts,
  note,
  ...props
}: RecordListProps<Row, View> & {
  readonly counts: Readonly<Record<State, number>> | undefined;
  /** The filters that only this list has. */
  readonly filters?: ReactNode;
  /** The layouts to choose from, if there are several. */
  readonly layouts?: ReactNode;
  /** Shown between the filters and the list. */
  readonly note?: ReactNode;
}) {
  const cluster = useClusterId();
  const { view, push, replace, list, query, layOut } = props;
  useShortcuts({ f: () => push(toggleFaults), r: () => void query.refetch() });
  return (
    <>
      <StateCounters
        counts={counts}
        chosen={view.states}
        onToggle={(state) => push((now) => toggleState(now, state))}
      />
      <ListToolbar
        things={list.things ?? `${list.thing}s`}
        placeholder={list.placeholder}
        {...{ view, push, replace }}
        url={list.url}
        layout={layouts}
        tools={
          <ListMenus
            table={list.table}
            columns={list.columns(cluster)}
            exported={{ cluster, filter: list.url.filter(view), sort: view.sort }}
            hasColumns={layOut === undefined}
          />
        }
      >
        {filters}
      </ListToolbar>
      {note}
      <div className={`flex on-surface line-above ${page.tableCard}`}>
        <RecordList {...props} />
      </div>
    </>
  );
}

/** The rows: they can be selected and acted on together, and one of them can be open beside the list. */
function RecordList<Row extends SelectableRow, View extends ListView>({
  view,
  push,
  replace,
  list,
  query,
  layOut,
}: RecordListProps<Row, View>) {
  const cluster = useClusterId();
  const { label, thing, of, table, url, folds } = list;
  const opened = usePeek({ view, push, replace });
  const named =
    opened.current === undefined ? undefined : (list.peekedName ?? same)(opened.current);
  const peek = { ...opened, current: named };
  const hidden = useHiddenColumns(table);
  const loaded = useLoadedRows(query, {
    what: url.format({ ...view, peek: undefined }),
    keyOf: uidOf,
  });
  const selection = useSelection(
    useCallback(
      (row: Row) => bulkActionsOf(list.retryOf(row, cluster), row.reason),
      [list, cluster],
    ),
  );
  const { chosen, toggle, toggleAll } = selection;
  const columns = useMemo(
    () => [selectionColumn({ toggle, toggleAll }, loaded.rows), ...list.columns(cluster)],
    [toggle, toggleAll, loaded.rows, list, cluster],
  );
  const isFiltered = url.isFiltered(view);
  const onClear = () => push(url.withoutFilters);
  const onClose = () => peek.onPeek(undefined);
  const Beside = useFetched(list.beside, opened.current);
  return (
    <ChosenRows value={chosen}>
      <LoadedList
        {...{ label, thing, folds, columns, hidden, isFiltered }}
        list={loaded}
        empty={
          <EmptyList {...{ thing, isFiltered, onClear }} {...list.matchless} none={list.none} />
        }
        above={<SelectionBar selection={selection} of={of} />}
        laidOut={layOut?.({ list: loaded, selection, peek })}
        beside={
          opened.current === undefined || Beside === undefined ? null : (
            <Beside name={opened.current} onClose={onClose} />
          )
        }
        rowKey={uidOf}
        rowTone={stateOf}
        sort={view.sort}
        onSort={(by) => push((now) => sortedBy(now, by))}
        onSpace={toggle}
        peek={{ ...peek, idOf: nameOf }}
      />
    </ChosenRows>
  );
}

function same(name: string): string {
  return name;
}

"use client";
import type { RowData } from "@tanstack/react-table";
import { type ReactNode, useCallback, useMemo } from "react";
import { useHiddenColumns } from "../../components/menu/hidden-columns.ts";
import page from "../../components/page/page.module.css";
import { SearchBox } from "../../components/search-box.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import type { Column } from "../../components/table/column.ts";
import { type ChangeView, useClusterId } from "../../components/url/use-url-state.ts";
import type { ExportedView } from "./export-address.ts";
import { ListMenus } from "./list-menus.tsx";
import { type ListUrl, wanted } from "./list-view.ts";
import {
  EmptyList,
  type EmptyListProps,
  LoadedList,
  type LoadedListProps,
} from "./loaded-list.tsx";
import { type PagedQuery, useLoadedRows } from "./use-loaded-rows.ts";

interface SearchedListProps<Row extends RowData, Sort extends string, View>
  extends Omit<LoadedListProps<Row, Sort>, "list" | "isFiltered" | "empty" | "hidden"> {
  /** `Filter foreign routes`, for screen readers. */
  readonly filter: string;
  /** Names the fields that the text is searched in. */
  readonly placeholder: string;
  /** Shown above the search, if there is something it applies to. */
  readonly about?: ReactNode;
  /** Further filters of the list. */
  readonly tools?: ReactNode;
  /** The list's name on the server, which also keys the user's hidden columns. */
  readonly table: string;
  /** The selection boxes, before the other columns. */
  readonly boxes?: Column<Row, never>;
  /** The parameters of its query. */
  readonly exported: Omit<ExportedView, "list" | "cluster">;
  readonly view: View;
  readonly url: Pick<ListUrl<View>, "format" | "withoutFilters">;
  readonly push: ChangeView<View>;
  readonly replace: ChangeView<View>;
  readonly query: PagedQuery<Row>;
  /** Whether rows are left out by more than the text. */
  readonly isFiltered?: boolean;
  /** Shown instead of the table if the list is empty without a filter. */
  readonly none: ReactNode;
  /** Shown if none matches, if it cannot be derived from `thing`. */
  readonly matchless?: Pick<EmptyListProps, "title" | "all">;
}

/** A list with a text search and an introduction. `rowKey` must be the same function on each render. */
export function SearchedList<
  Row extends RowData,
  Sort extends string,
  View extends { readonly text: string },
>({
  filter,
  placeholder,
  about,
  tools,
  table,
  boxes,
  columns,
  exported,
  view,
  url,
  push,
  replace,
  query,
  isFiltered = wanted(view.text) !== undefined,
  none,
  matchless,
  folds = "cards",
  ...list
}: SearchedListProps<Row, Sort, View>) {
  const cluster = useClusterId();
  const hidden = useHiddenColumns(table);
  const all = useMemo(
    () => (boxes === undefined ? columns : [boxes, ...columns]),
    [boxes, columns],
  );
  const rows = useLoadedRows(query, { what: url.format(view), keyOf: list.rowKey });
  const isEmpty = rows.rows?.length === 0 && !isFiltered;
  useShortcuts({ r: () => void query.refetch() });
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  return (
    <>
      {about === undefined || isEmpty ? null : <p className="quiet small">{about}</p>}
      <div className={page.toolbar}>
        <SearchBox label={filter} placeholder={placeholder} value={view.text} onChange={onText} />
        {tools}
        <ListMenus {...{ table, columns }} exported={{ ...exported, cluster }} />
      </div>
      <div className={`flex on-surface line-above ${page.tableCard}`}>
        <LoadedList
          {...list}
          {...{ columns: all, hidden }}
          list={rows}
          isFiltered={isFiltered}
          folds={folds}
          empty={
            <EmptyList
              {...matchless}
              thing={list.thing}
              isFiltered={isFiltered}
              onClear={() => push(url.withoutFilters)}
              none={none}
            />
          }
        />
      </div>
    </>
  );
}

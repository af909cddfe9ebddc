"use client";
import type { RowData } from "@tanstack/react-table";
import { type ReactNode, useCallback, useMemo } from "react";
import { useHiddenColumns } from "../../components/menu/columns-menu.tsx";
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
  /** `Filter foreign routes`, for readers. */
  readonly filter: string;
  /** What a text is looked for in. */
  readonly placeholder: string;
  /** Above the search, while there is something that it is about. */
  readonly about?: ReactNode;
  /** What else the list is narrowed by. */
  readonly tools?: ReactNode;
  /** Its name on the server, under which also the columns that a user hides are kept. */
  readonly table: string;
  /** The boxes by which rows are chosen, before the other columns. */
  readonly boxes?: Column<Row, never>;
  /** What its query was asked for. */
  readonly exported: Omit<ExportedView, "list" | "cluster">;
  readonly view: View;
  readonly url: Pick<ListUrl<View>, "format" | "withoutFilters">;
  readonly push: ChangeView<View>;
  readonly replace: ChangeView<View>;
  readonly query: PagedQuery<Row>;
  /** Where more than the text leaves rows out. */
  readonly isFiltered?: boolean;
  /** Stands in the place of the table where nothing is left out. */
  readonly none: ReactNode;
  /** What is said where none matches, when it is not made of `thing`. */
  readonly matchless?: Pick<EmptyListProps, "title" | "all">;
}

/** A list that is searched by a text, with a word on what stands in it. `rowKey` is the same function each time. */
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

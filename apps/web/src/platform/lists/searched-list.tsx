"use client";
import type { RowData } from "@tanstack/react-table";
import { type ReactNode, useCallback } from "react";
import page from "../../components/page/page.module.css";
import { SearchBox } from "../../components/search-box.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import { type ChangeView, useClusterId } from "../../components/url/use-url-state.ts";
import { ViewsMenu } from "../views/views-menu.tsx";
import type { ExportedView } from "./export-address.ts";
import { ExportMenu } from "./export-menu.tsx";
import { type ListUrl, wanted } from "./list-view.ts";
import {
  EmptyList,
  type EmptyListProps,
  LoadedList,
  type LoadedListProps,
} from "./loaded-list.tsx";
import { type PagedQuery, useLoadedRows } from "./use-loaded-rows.ts";

interface SearchedListProps<Row extends RowData, Sort extends string, View>
  extends Omit<LoadedListProps<Row, Sort>, "list" | "isFiltered" | "empty"> {
  /** `Filter foreign routes`, for readers. */
  readonly filter: string;
  /** What a text is looked for in. */
  readonly placeholder: string;
  readonly about?: ReactNode;
  /** What else the list is narrowed by. */
  readonly tools?: ReactNode;
  /** As which list it is exported, and what its query was asked for. */
  readonly exported?: Omit<ExportedView, "cluster">;
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
  const rows = useLoadedRows(query, { what: url.format(view), keyOf: list.rowKey });
  useShortcuts({ r: () => void query.refetch() });
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  return (
    <>
      <div className={page.toolbar}>
        <SearchBox label={filter} placeholder={placeholder} value={view.text} onChange={onText} />
        {about === undefined ? null : <p className="quiet small">{about}</p>}
        {tools}
        <span className="push" />
        <ViewsMenu />
        {exported === undefined ? null : <ExportMenu of={{ ...exported, cluster }} />}
      </div>
      <div className={`flex on-surface line-above ${page.tableCard}`}>
        <LoadedList
          {...list}
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

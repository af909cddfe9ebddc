"use client";
import type { RowData } from "@tanstack/react-table";
import { type ReactNode, useCallback } from "react";
import page from "../../components/page.module.css";
import { SearchBox } from "../../components/search-box.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import type { ChangeView, UrlCodec } from "../../components/url/use-url-state.ts";
import { wanted } from "./list-view.ts";
import { LoadedList, type LoadedListProps } from "./loaded-list.tsx";
import { type PagedQuery, useLoadedRows } from "./use-loaded-rows.ts";

interface SearchedListProps<Row extends RowData, Sort extends string, View>
  extends Omit<LoadedListProps<Row, Sort>, "list" | "isFiltered" | "folds"> {
  /** `foreign routes`, for what the filter is of. */
  readonly things: string;
  /** What a text is looked for in. */
  readonly placeholder: string;
  readonly about: ReactNode;
  readonly view: View;
  readonly url: UrlCodec<View>;
  readonly replace: ChangeView<View>;
  readonly query: PagedQuery<Row>;
  /** Where more than the text leaves rows out. */
  readonly isFiltered?: boolean;
}

/** A list that is only searched by a text, with a word on what stands in it. `rowKey` is the same function each time. */
export function SearchedList<
  Row extends RowData,
  Sort extends string,
  View extends { readonly text: string },
>({
  things,
  placeholder,
  about,
  view,
  url,
  replace,
  query,
  isFiltered = wanted(view.text) !== undefined,
  ...list
}: SearchedListProps<Row, Sort, View>) {
  const rows = useLoadedRows(query, { what: url.format(view), keyOf: list.rowKey });
  useShortcuts({ r: () => void query.refetch() });
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  return (
    <>
      <div className={page.toolbar}>
        <SearchBox
          label={`Filter ${things}`}
          placeholder={placeholder}
          value={view.text}
          onChange={onText}
        />
        <p className={page.quiet}>{about}</p>
      </div>
      <div className={page.tableCard}>
        <LoadedList {...list} list={rows} isFiltered={isFiltered} folds="cards" />
      </div>
    </>
  );
}

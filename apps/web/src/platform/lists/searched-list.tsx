"use client";
import type { RowData } from "@tanstack/react-table";
import { type ReactNode, useCallback } from "react";
import page from "../../components/page/page.module.css";
import { SearchBox } from "../../components/search-box.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import type { ChangeView } from "../../components/url/use-url-state.ts";
import { type ListUrl, wanted } from "./list-view.ts";
import { EmptyList, LoadedList, type LoadedListProps } from "./loaded-list.tsx";
import { type PagedQuery, useLoadedRows } from "./use-loaded-rows.ts";

interface SearchedListProps<Row extends RowData, Sort extends string, View>
  extends Omit<LoadedListProps<Row, Sort>, "list" | "isFiltered" | "folds" | "empty"> {
  /** `foreign routes`, for what the filter is of. */
  readonly things: string;
  /** What a text is looked for in. */
  readonly placeholder: string;
  readonly about: ReactNode;
  readonly view: View;
  readonly url: ListUrl<View>;
  readonly push: ChangeView<View>;
  readonly replace: ChangeView<View>;
  readonly query: PagedQuery<Row>;
  /** Where more than the text leaves rows out. */
  readonly isFiltered?: boolean;
  /** Stands in the place of the table where nothing is left out. */
  readonly none: ReactNode;
  /** What one of the rows is called where none matches, when that is not `thing`. */
  readonly matchless?: string;
  readonly all?: string;
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
  push,
  replace,
  query,
  isFiltered = wanted(view.text) !== undefined,
  none,
  matchless,
  all,
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
        <p className="quiet small">{about}</p>
      </div>
      <div className={page.tableCard}>
        <LoadedList
          {...list}
          list={rows}
          isFiltered={isFiltered}
          folds="cards"
          empty={
            <EmptyList
              thing={matchless ?? list.thing}
              {...(all === undefined ? {} : { all })}
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

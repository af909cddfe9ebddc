"use client";
import type { Page, Total } from "@cloudwright/store/views/views";
import { keepPreviousData } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { PendingQuery } from "../../components/page/use-failure.ts";
import { firstPageOf } from "../../components/table/pages.ts";
import type { Reading } from "../../components/table/rows/use-reading.ts";
import { useSteadyRows } from "../../components/table/rows/use-steady-rows.ts";

/** What a list needs of a query that loads page by page. */
export interface PagedQuery<Row> extends PendingQuery, MorePages {
  readonly data: { readonly pages: readonly Page<Row>[] } | undefined;
  readonly isPlaceholderData: boolean;
}

export interface LoadedRows<Row> {
  readonly query: PendingQuery & Pick<PagedQuery<Row>, "data">;
  /** The rows shown; they keep their place while they are being read. */
  readonly rows: readonly Row[];
  readonly total: Total | undefined;
  /** How many rows have arrived since the user began to read. */
  readonly fresh: number;
  /** Shows those as well, from the top. */
  readonly show: () => void;
  readonly reading: Reading;
  /** A new number scrolls the list back to its top. */
  readonly beginning: number;
  /** The rows still belong to the previous filter, until those of the new one arrive. */
  readonly isOfBefore: boolean;
  readonly isLoadingMore: boolean;
  readonly onNearEnd: () => void;
}

/** Returns the rows of all loaded pages as a list shows them. `keyOf` must be the same function on each render. */
export function useLoadedRows<Row>(
  query: PagedQuery<Row>,
  list: { readonly what: string; readonly keyOf: (row: Row) => string },
): LoadedRows<Row> {
  const { data, isFetchingNextPage } = query;
  const pages = useMemo(() => data?.pages.map(({ rows }) => rows) ?? [], [data]);
  const steady = useSteadyRows({ pages, ...list });
  const onNearEnd = useNextPage(query);
  return {
    ...steady,
    query,
    total: firstPageOf(data)?.total,
    isOfBefore: query.isPlaceholderData,
    isLoadingMore: isFetchingNextPage,
    onNearEnd,
  };
}

/** Returns the number for screen readers; undefined if it is not known exactly. */
export function exactCount(total: Total | undefined): number | undefined {
  return total?.kind === "exact" ? total.count : undefined;
}

/**
 * How many rows are requested at once. The first page just fills a large screen, so that it arrives sooner: rows that have not been read
 * for a while are on disk, each in a different disk page.
 */
export const PAGE_SIZES = { limit: 200, first: 60 } as const;

/** The query options of every list that loads page by page; the old rows stay until the answer to a new filter arrives. */
export const PAGED = {
  getNextPageParam: ({ nextCursor }: { readonly nextCursor?: string | undefined }) => nextCursor,
  placeholderData: keepPreviousData,
} as const;

interface MorePages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/** Loads the next page of a list when its end comes near, one at a time. */
export function useNextPage({ hasNextPage, isFetchingNextPage, fetchNextPage }: MorePages) {
  return useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
}

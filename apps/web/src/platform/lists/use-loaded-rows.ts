"use client";
import type { Page, Total } from "@cloudwright/store/views/views";
import { keepPreviousData } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { firstPageOf } from "../../components/table/pages.ts";
import type { Reading } from "../../components/table/rows/use-reading.ts";
import { useSteadyRows } from "../../components/table/rows/use-steady-rows.ts";

/** What is asked of a query that loads page after page. */
export interface PagedQuery<Row> extends MorePages {
  readonly data: { readonly pages: readonly Page<Row>[] } | undefined;
  readonly error: unknown;
  readonly isError: boolean;
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}

export interface LoadedRows<Row> {
  readonly query: Pick<PagedQuery<Row>, "data" | "error" | "isError" | "refetch">;
  /** Those that are shown; while they are read they stand still. */
  readonly rows: readonly Row[];
  readonly total: Total | undefined;
  /** How many came among the rows since a user began to read them. */
  readonly fresh: number;
  /** Shows those as well, from the top. */
  readonly show: () => void;
  readonly reading: Reading;
  /** Another number: the list begins anew at its top. */
  readonly beginning: number;
  /** The rows are of the filter before, until those of this one come. */
  readonly isOfBefore: boolean;
  readonly isLoadingMore: boolean;
  readonly onNearEnd: () => void;
}

/** The rows of all pages that have been loaded, as a list shows them. `keyOf` is the same function each time. */
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

/** A list that comes whole, as one page; `rows` are the same array until others come. */
export function useWholeList<Row>(
  { error, isError, refetch }: Pick<PagedQuery<Row>, "error" | "isError" | "refetch">,
  rows: readonly Row[] | undefined,
): PagedQuery<Row> {
  const data = useMemo(() => {
    if (rows === undefined) return undefined;
    const total = { kind: "exact", count: rows.length } as const;
    return { pages: [{ rows, nextCursor: undefined, total }] };
  }, [rows]);
  return { ...{ data, error, isError, refetch }, ...WHOLE };
}

const WHOLE = {
  isPlaceholderData: false,
  hasNextPage: false,
  isFetchingNextPage: false,
  fetchNextPage: () => undefined,
} as const;

/** The number for readers; undefined when it is not known exactly. */
export function exactCount(total: Total | undefined): number | undefined {
  return total?.kind === "exact" ? total.count : undefined;
}

/**
 * So many rows are asked for at once. The first page fills a large screen and no more, so that it is there sooner: what has not been
 * read for a while is on a disk, each row on another page of it.
 */
export const PAGE_SIZES = { limit: 200, first: 60 } as const;

/** How every list is loaded page after page; what was shown stays until the answer to another filter comes. */
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

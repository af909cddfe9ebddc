"use client";
import type { RunsFilter } from "@cloudwright/store/views";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { foldRuns } from "./fold-runs.ts";

/** The runs of a cluster under a filter, newest first, folded, page after page. */
export function useRuns(cluster: string, filter: RunsFilter) {
  const api = useApi();
  const query = useInfiniteQuery(
    api.runs.list.infiniteQueryOptions(
      { cluster, filter: filter, sort: { by: "started", descending: true }, limit: 200 },
      { getNextPageParam: ({ nextCursor }) => nextCursor, placeholderData: keepPreviousData },
    ),
  );
  const rows = useMemo(
    () =>
      query.data === undefined
        ? undefined
        : foldRuns(query.data.pages.flatMap((page) => page.rows)),
    [query.data],
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { query, rows, onNearEnd, total: query.data?.pages[0]?.total };
}

"use client";
import type { RunsFilter } from "@cloudwright/store/views";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { firstPageOf, rowsOf } from "../../components/table/pages.ts";
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
  const rows = useMemo(() => {
    const loaded = rowsOf(query.data);
    return loaded === undefined ? undefined : foldRuns(loaded);
  }, [query.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { query, rows, onNearEnd, total: firstPageOf(query.data)?.total };
}

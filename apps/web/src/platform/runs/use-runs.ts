"use client";
import type { RunsFilter } from "@cloudwright/store/views";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { firstPageOf, rowsOf } from "../../components/table/pages.ts";
import { HISTOGRAM_PARTS } from "../../components/time-histogram/time-histogram.tsx";
import { PAGE_SIZE, PAGED } from "../lists/paging.ts";
import { foldRuns } from "./fold-runs.ts";
import { useFreshRuns } from "./use-fresh-runs.ts";

const NEWEST_FIRST = { by: "started", descending: true } as const;

/**
 * The runs of a cluster under a filter, newest first, folded, page after page. Runs that began since the list was opened are
 * counted in `fresh` and join the list when they are asked for.
 */
export function useRuns(cluster: string, filter: RunsFilter) {
  const api = useApi();
  const fresh = useFreshRuns(cluster, filter);
  const query = useInfiniteQuery(
    api.runs.list.infiniteQueryOptions(
      {
        cluster,
        filter: {
          ...filter,
          to: Math.min(filter.to ?? Number.POSITIVE_INFINITY, fresh.shownUntil),
        },
        sort: NEWEST_FIRST,
        limit: PAGE_SIZE,
      },
      PAGED,
    ),
  );
  const rows = useMemo(() => {
    const loaded = rowsOf(query.data);
    return loaded === undefined ? undefined : foldRuns(loaded);
  }, [query.data]);
  const isEmpty = rows?.length === 0 && !query.isPlaceholderData;
  const isFresh = (fresh.total?.count ?? 0) > 0;
  const { show } = fresh;
  useEffect(() => {
    // Nothing is read yet, so nothing can move.
    if (isEmpty && isFresh) show();
  }, [isEmpty, isFresh, show]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { query, rows, fresh, onNearEnd, total: firstPageOf(query.data)?.total };
}

/** When the runs of a filter began; undefined until it is known. */
export function useRunsHistogram(cluster: string, filter: RunsFilter) {
  const api = useApi();
  const input = { cluster, filter, parts: HISTOGRAM_PARTS };
  return useQuery(api.runs.histogram.queryOptions(input, { placeholderData: keepPreviousData }))
    .data;
}

"use client";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { firstPageOf, rowsOf } from "../../components/table/pages.ts";
import { HISTOGRAM_PARTS } from "../../components/time-histogram/time-histogram.tsx";
import { PAGE_SIZE, PAGED } from "../../platform/lists/paging.ts";
import { useHeldMoment } from "../../platform/live/use-held-moment.ts";
import { type AuditFilter, type AuditView, chainOf } from "./audit-url.ts";

const NEWEST_FIRST = { by: "inserted", descending: true } as const;

/**
 * The entries of a chain under a filter, newest first, page after page. Entries since the list was opened are counted in
 * `fresh` and join the list when they are asked for.
 */
export function useAudit(cluster: string, view: AuditView, filter: AuditFilter) {
  const api = useApi();
  const chain = chainOf(cluster, view);
  const what = JSON.stringify({ chain, ...filter, from: undefined });
  const { shownUntil, goOn } = useHeldMoment(cluster, what);
  const query = useInfiniteQuery(
    api.audit.list.infiniteQueryOptions(
      {
        cluster: chain,
        filter: { ...filter, to: Math.min(filter.to ?? Number.POSITIVE_INFINITY, shownUntil) },
        sort: NEWEST_FIRST,
        limit: PAGE_SIZE,
      },
      PAGED,
    ),
  );
  const newer = useQuery(
    api.audit.list.queryOptions({
      cluster: chain,
      filter: { ...filter, from: shownUntil },
      sort: NEWEST_FIRST,
      limit: 1,
    }),
  );
  const newest = newer.data?.rows[0]?.at;
  const show = useCallback(() => goOn(newest), [goOn, newest]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return {
    query,
    rows: useMemo(() => rowsOf(query.data), [query.data]),
    total: firstPageOf(query.data)?.total,
    fresh: { total: newer.data?.total, shownUntil, show },
    onNearEnd,
  };
}

/** When the entries of a filter were written; undefined until it is known. */
export function useAuditHistogram(cluster: string, view: AuditView, filter: AuditFilter) {
  const api = useApi();
  const input = { cluster: chainOf(cluster, view), filter, parts: HISTOGRAM_PARTS };
  return useQuery(api.audit.histogram.queryOptions(input, { placeholderData: keepPreviousData }))
    .data;
}

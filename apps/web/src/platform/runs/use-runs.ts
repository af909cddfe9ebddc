"use client";
import type { Commented } from "@cloudwright/store/views/comments";
import type { RunRow, RunsFilter } from "@cloudwright/store/views/views";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { firstPageOf, rowsOf } from "../../components/table/pages.ts";
import { HISTOGRAM_PARTS } from "../../components/time-histogram/time-histogram.tsx";
import { useFresh, useHeldList } from "../lists/use-held-list.ts";
import { PAGE_SIZES, PAGED, useNextPage } from "../lists/use-loaded-rows.ts";

const NEWEST_FIRST = { by: "started", descending: true } as const;

/**
 * Returns a cluster's runs under a filter, newest first, folded, page by page. Runs that began since the list was opened are counted in
 * `fresh` and join the list on request. `range` names the range that ends now, if there is one: its start moves all the time.
 */
export function useRuns(cluster: string, filter: RunsFilter, range?: string) {
  const api = useApi();
  const held = useHeldList(cluster, filter, JSON.stringify({ cluster, ...filter, from: range }));
  const query = useInfiniteQuery(
    api.runs.list.infiniteQueryOptions(
      { cluster, filter: held.shown, sort: NEWEST_FIRST, ...PAGE_SIZES },
      PAGED,
    ),
  );
  const newer = useQuery(
    api.runs.list.queryOptions({ cluster, filter: held.newer, sort: NEWEST_FIRST, limit: 1 }),
  ).data;
  const rows = useMemo(() => {
    const loaded = rowsOf(query.data);
    return loaded === undefined ? undefined : foldRuns(loaded);
  }, [query.data]);
  const fresh = useFresh(
    held,
    { total: newer?.total, newestAt: newer?.rows[0]?.startedAt },
    rows?.length === 0 && !query.isPlaceholderData,
  );
  const onNearEnd = useNextPage(query);
  return { query, rows, fresh, onNearEnd, total: firstPageOf(query.data)?.total };
}

/** Returns when the runs of a filter began. */
export function useRunsHistogram(cluster: string, filter: RunsFilter) {
  const api = useApi();
  const input = { cluster, filter, parts: HISTOGRAM_PARTS };
  return useQuery(api.runs.histogram.queryOptions(input, { placeholderData: keepPreviousData }));
}

/**
 * Folds consecutive runs of one object that changed nothing for the same reason into one row with their number. Runs that a user requested
 * or commented on keep a row of their own.
 */
export function foldRuns(runs: readonly Commented<RunRow>[]): readonly Commented<RunRow>[] {
  const folded: Commented<RunRow>[] = [];
  for (const run of runs) {
    const last = folded.at(-1);
    if (last !== undefined && isSameNothing(last, run)) {
      folded[folded.length - 1] = { ...last, folded: last.folded + run.folded };
    } else {
      folded.push(run);
    }
  }
  return folded;
}

function isSameNothing(left: Commented<RunRow>, right: Commented<RunRow>): boolean {
  return (
    [left, right].every(isNothing) &&
    left.controller === right.controller &&
    left.object.name === right.object.name &&
    left.object.namespace === right.object.namespace &&
    left.reason?.code === right.reason?.code &&
    left.dryRun === right.dryRun
  );
}

function isNothing({ trigger, outcome, comments }: Commented<RunRow>): boolean {
  return trigger.kind !== "intent" && outcome === "unchanged" && comments === undefined;
}

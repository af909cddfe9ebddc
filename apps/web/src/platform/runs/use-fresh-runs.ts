"use client";
import type { RunsFilter, Total } from "@cloudwright/store/views";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useApi } from "../../components/api.ts";
import { useHeldMoment } from "../live/use-held-moment.ts";

export interface FreshRuns {
  /** Runs that began before this are in the list, milliseconds since the epoch by the server's clock. */
  readonly shownUntil: number;
  /** How many began since, under the same filter. */
  readonly total: Total | undefined;
  readonly show: () => void;
}

/** Holds a list of runs at the moment at which it was opened or filtered anew, and counts what came since. */
export function useFreshRuns(cluster: string, filter: RunsFilter): FreshRuns {
  const what = JSON.stringify({ cluster, ...filter, from: undefined });
  const { shownUntil, goOn } = useHeldMoment(cluster, what);
  const { data } = useRunsSince(cluster, { ...filter, from: shownUntil });
  const newest = data?.rows[0]?.startedAt;
  const show = useCallback(() => goOn(newest), [goOn, newest]);
  return { shownUntil, total: data?.total, show };
}

function useRunsSince(cluster: string, filter: RunsFilter) {
  const api = useApi();
  return useQuery(
    api.runs.list.queryOptions({
      cluster,
      filter,
      sort: { by: "started", descending: true },
      limit: 1,
    }),
  );
}

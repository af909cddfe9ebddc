"use client";
import type { RunsFilter, Total } from "@cloudwright/store/views";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useApi } from "../../components/api.ts";
import { useCluster } from "../shell/use-cluster.ts";

const MINUTE = 60_000;
/** What began while the list was being asked for belongs to it. */
const MARGIN_MS = 1_000;

export interface FreshRuns {
  /** Runs that began before this are in the list, milliseconds since the epoch by the server's clock. */
  readonly shownUntil: number;
  /** How many began since, under the same filter. */
  readonly total: Total | undefined;
  readonly show: () => void;
}

/** Holds a list of runs at the moment at which it was opened or filtered anew, and counts what came since. */
export function useFreshRuns(cluster: string, filter: RunsFilter): FreshRuns {
  const skewMs = useRoughSkew(cluster);
  const [held, setHeld] = useHeldMoment(JSON.stringify({ cluster, ...filter, from: undefined }));
  const shownUntil = held - skewMs;
  const { data } = useRunsSince(cluster, { ...filter, from: shownUntil });
  const newest = data?.rows[0]?.startedAt;
  const show = useCallback(
    // The controller's clock may be ahead of this one: what is counted is shown, whatever its time.
    () => setHeld(Math.max(justAfter(Date.now()), (newest ?? 0) + 1 + skewMs)),
    [setHeld, newest, skewMs],
  );
  return { shownUntil, total: data?.total, show };
}

/** A clock that is wrong by minutes is put right; less is left alone, because each change of it asks for the list again. */
function useRoughSkew(cluster: string): number {
  const { skewMs } = useCluster(cluster);
  return Math.round(skewMs / MINUTE) * MINUTE;
}

/** A moment by this browser's clock that begins anew with each `what`. */
function useHeldMoment(what: string): readonly [number, (until: number) => void] {
  const [held, setHeld] = useState(() => ({ what, until: justAfter(Date.now()) }));
  const current = held.what === what ? held : { what, until: justAfter(Date.now()) };
  if (current !== held) setHeld(current);
  const hold = useCallback((until: number) => setHeld({ what, until }), [what]);
  return [current.until, hold];
}

function justAfter(now: number): number {
  return Math.ceil(now / 1_000) * 1_000 + MARGIN_MS;
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

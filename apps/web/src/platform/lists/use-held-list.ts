"use client";
import type { Total } from "@cloudwright/store/views/views";
import { useCallback, useEffect, useState } from "react";
import { useCluster } from "../live/use-cluster.ts";
import type { NewestRows } from "./newest-list.tsx";

const MINUTE = 60_000;
/** What began while the list was being requested belongs to it. */
const MARGIN_MS = 1_000;

interface Ranged {
  /** Milliseconds since the epoch. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface HeldList<Filter> {
  /** What was there at the moment that the list is held at. */
  readonly shown: Filter;
  /** What has been added since. */
  readonly newer: Filter;
  /** That moment by the server's clock, milliseconds since the epoch. */
  readonly shownUntil: number;
  /** Moves on to now, and beyond the newest known time, because another clock may be ahead of this one. */
  readonly goOn: (newest: number | undefined) => void;
}

/** Holds a list at the moment at which it was opened or filtered, so that the rows being read do not move; a new `what` starts again. */
export function useHeldList<Filter extends Ranged>(
  cluster: string,
  filter: Filter,
  what: string,
): HeldList<Filter> {
  const { shownUntil, goOn } = useHeldMoment(cluster, what);
  const shown = { ...filter, to: Math.min(filter.to ?? Number.POSITIVE_INFINITY, shownUntil) };
  const newer = { ...filter, from: Math.max(filter.from ?? 0, shownUntil) };
  return { shown, newer, shownUntil, goOn };
}

interface Newer {
  readonly total: Total | undefined;
  /** Undefined if there is none. */
  readonly newestAt: number | undefined;
}

/** What has been added to a held list, and how to show it. In a list that is empty it is shown at once: nothing can move. */
export function useFresh(
  { shownUntil, goOn }: Pick<HeldList<unknown>, "shownUntil" | "goOn">,
  { total, newestAt }: Newer,
  isEmpty: boolean,
): NewestRows<unknown>["fresh"] {
  const show = useCallback(() => goOn(newestAt), [goOn, newestAt]);
  const isAny = (total?.count ?? 0) > 0;
  useEffect(() => {
    if (isEmpty && isAny) show();
  }, [isEmpty, isAny, show]);
  return { shownUntil, total, show };
}

function useHeldMoment(
  cluster: string,
  what: string,
): Pick<HeldList<unknown>, "shownUntil" | "goOn"> {
  const skewMs = useRoughSkew(cluster);
  const [held, setHeld] = useState(() => ({ what, until: justAfter(Date.now()) }));
  const current = held.what === what ? held : { what, until: justAfter(Date.now()) };
  if (current !== held) setHeld(current);
  const goOn = useCallback(
    (newest: number | undefined) => {
      setHeld({ what, until: Math.max(justAfter(Date.now()), (newest ?? 0) + 1 + skewMs) });
    },
    [what, skewMs],
  );
  return { shownUntil: current.until - skewMs, goOn };
}

/** Corrects a clock that is wrong by minutes; smaller errors are ignored, because each change of the skew refetches the list. */
function useRoughSkew(cluster: string): number {
  const { skewMs } = useCluster(cluster);
  return Math.round(skewMs / MINUTE) * MINUTE;
}

function justAfter(now: number): number {
  return Math.ceil(now / 1_000) * 1_000 + MARGIN_MS;
}

"use client";
import { useCallback, useEffect, useState } from "react";
import { useCluster } from "./use-cluster.ts";

const MINUTE = 60_000;
/** What began while the list was being requested belongs to it. */
const MARGIN_MS = 1_000;

export interface HeldMoment {
  /** By the server's clock, milliseconds since the epoch. */
  readonly shownUntil: number;
  /** Moves on to now, and beyond the newest known time, because another clock may be ahead of this one. */
  readonly goOn: (newest: number | undefined) => void;
}

/** Holds the moment at which a list was opened or filtered, so that the rows being read do not move; a new `what` starts again. */
export function useHeldMoment(cluster: string, what: string): HeldMoment {
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

/** Shows new rows at once in a list that is empty: nothing has been read yet, so nothing can move. */
export function useShownIfEmpty(
  isEmpty: boolean,
  { total, show }: { readonly total: { readonly count: number } | undefined; show(): void },
): void {
  const isFresh = (total?.count ?? 0) > 0;
  useEffect(() => {
    if (isEmpty && isFresh) show();
  }, [isEmpty, isFresh, show]);
}

/** Corrects a clock that is wrong by minutes; smaller errors are ignored, because each change of the skew refetches the list. */
function useRoughSkew(cluster: string): number {
  const { skewMs } = useCluster(cluster);
  return Math.round(skewMs / MINUTE) * MINUTE;
}

function justAfter(now: number): number {
  return Math.ceil(now / 1_000) * 1_000 + MARGIN_MS;
}

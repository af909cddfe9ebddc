"use client";
import { useCallback, useState } from "react";
import { useCluster } from "./use-cluster.ts";

const MINUTE = 60_000;
/** What began while the list was being asked for belongs to it. */
const MARGIN_MS = 1_000;

export interface HeldMoment {
  /** By the server's clock, milliseconds since the epoch. */
  readonly shownUntil: number;
  /** Goes on to now, and past the time of the newest that is known: another clock may be ahead of this one. */
  readonly goOn: (newest: number | undefined) => void;
}

/** The moment at which a list was opened or filtered anew, so that what one reads does not move; it begins anew with each `what`. */
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

/** A clock that is wrong by minutes is corrected; less is left alone, because each change of it asks for the list again. */
function useRoughSkew(cluster: string): number {
  const { skewMs } = useCluster(cluster);
  return Math.round(skewMs / MINUTE) * MINUTE;
}

function justAfter(now: number): number {
  return Math.ceil(now / 1_000) * 1_000 + MARGIN_MS;
}

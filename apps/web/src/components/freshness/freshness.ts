"use client";
import { FRESHNESS_UNKNOWN, type Freshness } from "@cloudwright/core/model/freshness/freshness";
import {
  type FreshnessMessages,
  freshnessMessages,
} from "@cloudwright/core/model/freshness/freshness-messages";
import { createContext, useContext } from "react";
import { usePreferences } from "../preferences.ts";
import { formatClock } from "../time/format-time.ts";
import { useNow } from "../time/ticker.ts";

/** How fresh the page is. The frame judges it, once for the page; everything that shows it reads it here. */
export const FreshnessContext = createContext<Freshness>(FRESHNESS_UNKNOWN);

export function useFreshness(): Freshness {
  return useContext(FreshnessContext);
}

/** Apart, because each status on a page hangs on it, and the times above move on. */
export const IsOldContext = createContext(false);

/** Whether what the page shows is older than it should be. */
export function useIsOld(): boolean {
  return useContext(IsOldContext);
}

/** The same in words, with times in the zone that a user has chosen. */
export function useFreshnessMessages(): FreshnessMessages {
  const { zone } = usePreferences();
  const now = useNow();
  const freshness = useFreshness();
  return freshnessMessages(freshness, { now, clock: (at) => formatClock(at, zone, now) });
}

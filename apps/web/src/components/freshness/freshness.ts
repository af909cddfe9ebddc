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

/** How fresh the page is. The frame decides this once per page; everything that shows freshness reads it here. */
export const FreshnessContext = createContext<Freshness>(FRESHNESS_UNKNOWN);

export function useFreshness(): Freshness {
  return useContext(FreshnessContext);
}

/** Separate from the above, because every status on the page depends on it while the times above keep changing. */
export const IsOldContext = createContext(false);

/** Whether what the page shows is older than it should be. */
export function useIsOld(): boolean {
  return useContext(IsOldContext);
}

/** The freshness in words, with times in the zone that the user has chosen. */
export function useFreshnessMessages(): FreshnessMessages {
  const { zone } = usePreferences();
  const now = useNow();
  const freshness = useFreshness();
  return freshnessMessages(freshness, { now, clock: (at) => formatClock(at, zone, now) });
}

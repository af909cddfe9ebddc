"use client";
import type { Reason } from "@cloudwright/core/model/reason";
import { cause } from "@cloudwright/core/model/sentence";
import { useCallback } from "react";
import { usePreferences } from "../preferences.ts";
import { formatClock } from "./format-time.ts";

/** Words a point in time as the rest of the page does, in the zone that a person has chosen. */
export function useTimeWords(): (at: number) => string {
  const { zone } = usePreferences();
  return useCallback((at: number) => formatClock(at, zone, Date.now()), [zone]);
}

/** The cause of a state with its times in that zone. */
export function useCause(): (reason: Reason) => string {
  const time = useTimeWords();
  return useCallback((reason: Reason) => cause(reason, time), [time]);
}

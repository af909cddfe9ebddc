"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { Reason } from "@cloudwright/core/model/reason";
import { cause, nextTry } from "@cloudwright/core/model/sentence";
import { useCallback } from "react";
import { useIsOld } from "../freshness/freshness.ts";
import { mixed } from "../language/mixed-text.ts";
import { usePreferences } from "../preferences.ts";
import { keepUnits } from "../presentation/format-text.ts";
import { formatClock, formatElapsed, formatInstant, formatRelative, isNow } from "./format-time.ts";
import { useNow } from "./ticker.ts";

/** A point in time: relative, with the full instant in its title; the key `t` swaps the two. */
export function TimeText({ at }: { readonly at: number }) {
  const { time, zone } = usePreferences();
  const now = useNow();
  const instant = formatInstant(at, zone);
  const relative = formatRelative(at, now);
  return (
    <time dateTime={new Date(at).toISOString()} title={time === "relative" ? instant : relative}>
      {time === "relative" ? relative : formatClock(at, zone, now)}
    </time>
  );
}

/** A point in time as clock time, whatever the preference; for lines that are read in order. */
export function ClockText({ at }: { readonly at: number }) {
  const { zone } = usePreferences();
  const now = useNow();
  return (
    <time dateTime={new Date(at).toISOString()} title={formatRelative(at, now)}>
      {formatClock(at, zone, now)}
    </time>
  );
}

/** How long something has lasted, counting up; with `t`, the time since when. */
export function SinceText({ at }: { readonly at: number }) {
  const { time, zone } = usePreferences();
  const now = useNow();
  const title = t`since ${formatInstant(at, zone)}`;
  return (
    <time dateTime={new Date(at).toISOString()} title={title}>
      {time === "relative" ? formatElapsed(now - at) : formatClock(at, zone, now)}
    </time>
  );
}

/** Returns a function that formats points in time like the rest of the page, in the user's zone. */
export function useTimeLabels(): (at: number) => string {
  const { zone } = usePreferences();
  return useCallback((at: number) => formatClock(at, zone, Date.now()), [zone]);
}

/** Returns a function that words the cause of a state with its times in that zone. */
export function useCause(): (reason: Reason) => string {
  const time = useTimeLabels();
  return useCallback((reason: Reason) => cause(reason, time), [time]);
}

/** When an object will be retried; with old data nobody knows whether it already was. */
export function NextTry({ at }: { readonly at: number }) {
  const now = useNow();
  const isOld = useIsOld();
  if (at > now && !isNow(at, now)) {
    return <>{mixed`Next attempt ${<TimeText at={at} />}.`}</>;
  }
  if (!isOld || at > now) return keepUnits(nextTry(at, now));
  return <>{mixed`The next attempt was due at ${<ClockText at={at} />}.`}</>;
}

"use client";
import { usePreferences } from "../preferences.ts";
import { formatClock, formatElapsed, formatInstant, formatRelative } from "./format-time.ts";
import { useNow } from "./ticker.ts";

/** A point in time: relative first, the whole instant in its title; the key `t` turns that round. */
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

/** A point in time as a clock shows it, whatever the preference; for lines that are read in order. */
export function ClockText({ at }: { readonly at: number }) {
  const { zone } = usePreferences();
  const now = useNow();
  return (
    <time dateTime={new Date(at).toISOString()} title={formatRelative(at, now)}>
      {formatClock(at, zone, now)}
    </time>
  );
}

/** How long something has lasted, counting on; absolute on `t`: since when. */
export function SinceText({ at }: { readonly at: number }) {
  const { time, zone } = usePreferences();
  const now = useNow();
  const title = `since ${formatInstant(at, zone)}`;
  return (
    <time dateTime={new Date(at).toISOString()} title={title}>
      {time === "relative" ? formatElapsed(now - at) : formatClock(at, zone, now)}
    </time>
  );
}

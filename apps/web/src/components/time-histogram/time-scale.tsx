"use client";
import { t } from "@cloudwright/core/model/language/text";
import { usePreferences } from "../preferences.ts";
import { formatClock } from "../time/format-time.ts";
import { useNow } from "../time/ticker.ts";
import type { Zone } from "../time/zone.ts";
import type { Stretch } from "../url/time-range.ts";
import styles from "./time-bars.module.css";

/** The times along the bars; during a drag, the selected ones. */
export function TimeScale({
  parts,
  brushed,
}: {
  readonly parts: readonly Stretch[];
  readonly brushed: Stretch | undefined;
}) {
  const { zone } = usePreferences();
  const now = useNow();
  if (brushed !== undefined) {
    return (
      <p className={styles.scale} aria-hidden="true">
        <strong>{stretchText(brushed, zone, now)}</strong>
      </p>
    );
  }
  const ticks = [parts[0]?.from, parts[Math.floor(parts.length / 2)]?.from, parts.at(-1)?.to];
  return (
    <p className={styles.scale} aria-hidden="true">
      {ticks
        .filter((at) => at !== undefined)
        .map((at) => (
          <span key={at}>{formatClock(at, zone, now)}</span>
        ))}
    </p>
  );
}

export function stretchText({ from, to }: Stretch, zone: Zone, now: number): string {
  return t`${formatClock(from, zone, now)} to ${formatClock(to, zone, now)}`;
}

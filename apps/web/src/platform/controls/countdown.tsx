"use client";
import { t } from "@cloudwright/core/model/language/text";
import { mixed } from "../../components/language/mixed-text.ts";
import { keepUnits } from "../../components/presentation/format-text.ts";
import { formatElapsed } from "../../components/time/format-time.ts";
import { useNow } from "../../components/time/ticker.ts";
import { ClockText } from "../../components/time/time-text.tsx";
import styles from "./controls.module.css";

/** Formats `until 15:02:00 (24 min left)`; highlighted in the last ten minutes. */
export function Countdown({ until, now }: { readonly until: number; readonly now: number }) {
  const leftMs = until - now;
  return (
    <span className={endsSoon(until, now) ? styles.soon : undefined}>
      {mixed`until ${<ClockText at={until} />}
        ${keepUnits(leftMs > 0 ? t`(${formatElapsed(leftMs)} left)` : t`(ended, being lifted now)`)}`}
    </span>
  );
}

/** Returns the server's time, updated once a second. */
export function useServerNow(skewMs: number): number {
  return useNow() - skewMs;
}

const WARNED_BEFORE_MS = 10 * 60_000;

/** Reports whether a hold, pause or override is in its last ten minutes (UX brief, section 10). */
export function endsSoon(until: number, now: number): boolean {
  return until - now <= WARNED_BEFORE_MS;
}

import type { Clock } from "../model/time.ts";
import type { LiveValue } from "../model/values/live-value.ts";

/** When periodic work is due next, in milliseconds since the epoch; undefined while it is not planned. */
export interface Pace {
  nextAt: number | undefined;
}

/**
 * Calls the work once per period, first when one period has passed. When the period changes, the time already elapsed
 * counts: with a shorter period the work may be due at once. Returns a function that stops it.
 */
export function everyPeriod(
  {
    clock,
    period,
    pace = { nextAt: undefined },
  }: {
    readonly clock: Clock;
    readonly period: LiveValue<number>;
    readonly pace?: Pace | undefined;
  },
  act: () => void,
): () => void {
  let since = clock.monotonic();
  let cancel = () => {};
  const wait = () => {
    const leftMs = Math.max(0, period.value - (clock.monotonic() - since));
    pace.nextAt = clock.now() + leftMs;
    cancel = clock.after(leftMs, () => {
      since = clock.monotonic();
      act();
      wait();
    });
  };
  const forget = period.onChange(() => {
    cancel();
    wait();
  });
  wait();
  return () => {
    forget();
    cancel();
    pace.nextAt = undefined;
  };
}

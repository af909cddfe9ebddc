import type { Clock } from "../model/time.ts";
import type { LiveValue } from "../model/values/live-value.ts";

/**
 * Does something once a period, the first time when one has passed; the answer ends that. When the period changes, what has
 * passed already counts: with a shorter one it may be due at once.
 */
export function everyPeriod(
  { clock, period }: { readonly clock: Clock; readonly period: LiveValue<number> },
  act: () => void,
): () => void {
  let since = clock.monotonic();
  let cancel = () => {};
  const wait = () => {
    const leftMs = Math.max(0, period.value - (clock.monotonic() - since));
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
  };
}

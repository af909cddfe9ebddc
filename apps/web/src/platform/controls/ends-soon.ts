const WARNED_BEFORE_MS = 10 * 60_000;

/** Holds, pauses and overrides warn ten minutes before they end (UX brief, section 10). */
export function endsSoon(until: number, now: number): boolean {
  return until - now <= WARNED_BEFORE_MS;
}

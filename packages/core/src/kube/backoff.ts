import type { Random } from "../model/time.ts";

export interface Backoff {
  /**
   * Returns the next delay in milliseconds: it doubles up to the maximum, and a random 50 % to 100 % of that is
   * used.
   */
  next(): number;
  reset(): void;
}

/**
 * Creates delays that grow while something fails; the random part keeps many clients from coming back at the same
 * moment.
 */
export function createBackoff(baseMs: number, maxMs: number, random: Random): Backoff {
  let delayMs = baseMs;
  return {
    next: () => {
      const chosen = delayMs * (0.5 + random() / 2);
      delayMs = Math.min(delayMs * 2, maxMs);
      return chosen;
    },
    reset: () => {
      delayMs = baseMs;
    },
  };
}

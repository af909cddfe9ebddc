import type { Random } from "../model/time.ts";

export interface Backoff {
  /** The next delay in milliseconds: doubles up to the maximum, and between 50 % and 100 % of that at random. */
  next(): number;
  reset(): void;
}

/** Delays that grow while a thing fails; the random part keeps many clients from coming back at one moment. */
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

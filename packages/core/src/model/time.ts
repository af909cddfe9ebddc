/** Where time and waiting come from. Injected everywhere, so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only ever grow, for measuring durations. */
  monotonic(): number;
  /** Runs the callback once after so many milliseconds; the answer cancels it. A pending timer keeps no process alive. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Randomness in [0, 1). */
export type Random = () => number;

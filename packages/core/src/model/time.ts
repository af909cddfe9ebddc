/** The source of time and waiting. It is injected everywhere, so that tests control the time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Monotonic milliseconds, for measuring durations. */
  monotonic(): number;
  /**
   * Runs the callback once after this many milliseconds; returns a function that cancels it. A pending timer does not
   * keep the process alive.
   */
  after(delayMs: number, callback: () => void): () => void;
}

/** Randomness in [0, 1). */
export type Random = () => number;

/** A source of time, with the same shape as the controller's clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Returns monotonic milliseconds. */
  monotonic(): number;
  /** Runs the callback once after this many milliseconds; returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Resolves after this many milliseconds, or immediately when the signal aborts. */
export async function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      cancel();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.after(delayMs, end);
    signal?.addEventListener("abort", end, { once: true });
  });
}

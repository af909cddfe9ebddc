/** Where time comes from; the controller's own clock has this shape. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only ever grow. */
  monotonic(): number;
  /** Runs the callback once after so many milliseconds; the answer cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Resolves after so many milliseconds, or at once when the signal aborts. */
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

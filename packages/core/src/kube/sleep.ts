import type { Clock } from "../model/time.ts";

/** Resolves after this many milliseconds, or as soon as the signal aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const finish = () => {
      cancel();
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const cancel = clock.after(delayMs, finish);
    signal?.addEventListener("abort", finish, { once: true });
  });
}

/** Resolves after this many milliseconds; rejects with the signal's reason as soon as that aborts. */
export async function sleepUnlessAborted(
  clock: Clock,
  delayMs: number,
  signal: AbortSignal,
): Promise<void> {
  await sleep(clock, delayMs, signal);
  signal.throwIfAborted();
}

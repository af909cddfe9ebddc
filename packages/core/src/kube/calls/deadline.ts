import type { Clock } from "../../model/time.ts";

export interface Deadline {
  readonly signal: AbortSignal;
  /** True when it was the time that ran out, not the caller who gave up. */
  readonly expired: boolean;
  /** Must be called when the work ended, or the caller's signal keeps it alive. */
  clear(): void;
}

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A signal that fires with the caller's, or when the time is over. */
export function createDeadline({ clock, timeoutMs, signal }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  let expired = false;
  const giveUp = () => controller.abort(signal?.reason);
  if (signal?.aborted) giveUp();
  signal?.addEventListener("abort", giveUp, { once: true });
  const cancel = clock.after(timeoutMs, () => {
    expired = true;
    controller.abort(new Error("the time is over"));
  });
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    clear: () => {
      cancel();
      signal?.removeEventListener("abort", giveUp);
    },
  };
}

import type { Trigger } from "../model/run.ts";
import type { WorkQueue } from "../queue/port.ts";
import type { RunEnding } from "./ending.ts";
import { retryAfterMs, throttlePauseMs } from "./failure.ts";

/** Puts a key off as its run's ending asks; answers when it comes back by itself, milliseconds since the epoch. */
export function requeue(
  queue: WorkQueue<Trigger>,
  key: string,
  { outcome, next, reason, error, at }: RunEnding & { readonly at: number },
): number | undefined {
  if (outcome === "interrupted") return undefined;
  if (next.kind === "failed") {
    // Who is told when to come back comes back then, and the backoff does not grow: being throttled is nobody's failure.
    const pauseMs = retryAfterMs(error) ?? throttlePauseMs(reason);
    if (pauseMs === undefined) return at + queue.addFailed(key, RETRY);
    queue.addAfter(key, RETRY, pauseMs);
    return at + pauseMs;
  }
  queue.forget(key);
  if (next.kind !== "waiting") return undefined;
  queue.addAfter(key, RETRY, next.forMs);
  return at + next.forMs;
}

const RETRY: Trigger = { kind: "retry" };

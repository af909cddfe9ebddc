import { factsOf, pauseMs } from "../../model/reason.ts";
import type { Trigger } from "../../model/run.ts";
import type { WorkQueue } from "../../queue/port.ts";
import { retryAfterMs } from "../failure.ts";
import type { RunEnding } from "./progress.ts";

/**
 * Requeues a key as the end of its run requires. Returns when it comes back by itself, in milliseconds since the
 * epoch.
 */
export function requeue(
  queue: WorkQueue<Trigger>,
  key: string,
  { outcome, next, reason, error, at }: RunEnding & { readonly at: number },
): number | undefined {
  // If this process gets its Lease back, the writes that the loss held back still have to be made.
  if (reason.code === "LeaseLost") return at + queue.addFailed(key, RETRY);
  if (outcome === "interrupted") return undefined;
  if (next.kind === "failed") {
    // A key with a set time comes back then, and its backoff does not grow: throttling is not a
    // failure.
    const forMs = retryAfterMs(error) ?? pauseMs(reason);
    if (forMs === undefined) return at + queue.addFailed(key, RETRY);
    queue.addAfter(key, RETRY, forMs);
    return at + forMs;
  }
  queue.forget(key);
  if (next.kind !== "waiting") return undefined;
  const forMs =
    factsOf(next.reason.code).isCloudAtWork === true ? alignedMs(at, next.forMs) : next.forMs;
  queue.addAfter(key, RETRY, forMs);
  return at + forMs;
}

/**
 * Keys that wait for a cloud at work come back together, at the multiple of `forMs` nearest to their due time, so that one
 * listing shows all of them instead of one read for each.
 */
function alignedMs(at: number, forMs: number): number {
  if (forMs <= 0) return forMs;
  const beat = Math.ceil((at + forMs / 2) / forMs) * forMs;
  return beat - at;
}

const RETRY: Trigger = { kind: "retry" };

import { holdIn, pauseMs } from "../model/reason.ts";
import type { Trigger } from "../model/run.ts";
import type { Clock } from "../model/time.ts";
import type { WorkQueue } from "../queue/port.ts";
import { couldNotObserve } from "./failure.ts";
import type { RunOutcome } from "./loop-port.ts";

export interface RecoveryOptions {
  readonly queue: Pick<WorkQueue<Trigger>, "add">;
  readonly clock: Clock;
}

/**
 * Notices the end of an outage for all keys that wait for it. Each key's backoff grows with the outage, so after an hour
 * without the cloud every key would stay idle for minutes after it recovers. Therefore one key is tried now and then,
 * whatever its backoff, and the first that gets an answer wakes the others.
 */
export interface Recovery {
  /** Must be called at the end of every run of the loop. */
  ended(key: string, outcome: Pick<RunOutcome, "outcome" | "reason">): void;
  stop(): void;
}

/** How often one key is tried while the others wait. No key is tried or woken sooner than this after its own last try. */
const LEAST_PAUSE_MS = 20_000;
/** A cloud that answers only now and then must not be asked by all keys each time. */
const BETWEEN_WAKINGS_MS = 10_000;
const RETRY: Trigger = { kind: "retry" };

/** Watches the outcomes of one loop's runs, and wakes keys in its queue. */
export function createRecovery({ queue, clock }: RecoveryOptions): Recovery {
  /** Keys whose last run could not observe, with the end of that run in monotonic milliseconds; the oldest first. */
  const blind = new Map<string, number>();
  let wokenAt = Number.NEGATIVE_INFINITY;
  let cancelTry: (() => void) | undefined;
  let cancelWaking: (() => void) | undefined;

  function fail(key: string): void {
    blind.delete(key);
    blind.set(key, clock.monotonic());
    cancelTry ??= clock.after(LEAST_PAUSE_MS, tryOne);
  }

  function tryOne(): void {
    const now = clock.monotonic();
    const [oldest] = blind;
    cancelTry = oldest === undefined ? undefined : clock.after(LEAST_PAUSE_MS, tryOne);
    if (oldest === undefined || now - oldest[1] < LEAST_PAUSE_MS) return;
    fail(oldest[0]);
    queue.add(oldest[0], RETRY, "background");
  }

  function wakeOthers(): void {
    if (blind.size === 0 || cancelWaking !== undefined) return;
    const waitMs = Math.max(0, wokenAt + BETWEEN_WAKINGS_MS - clock.monotonic());
    cancelWaking = clock.after(waitMs, () => {
      cancelWaking = wake() ? clock.after(LEAST_PAUSE_MS, wakeYounger) : undefined;
    });
  }

  function wakeYounger(): void {
    cancelWaking = undefined;
    wake();
  }

  /** Wakes the waiting keys. Returns whether some had failed too recently to be woken. */
  function wake(): boolean {
    wokenAt = clock.monotonic();
    const due = [...blind].filter(([, failedAt]) => wokenAt - failedAt >= LEAST_PAUSE_MS);
    const isRest = due.length < blind.size;
    for (const [key] of due) {
      fail(key);
      queue.add(key, RETRY, "background");
    }
    return isRest;
  }

  return {
    ended: (key, outcome) => {
      if (outcome.outcome === "interrupted") return;
      if (isBlind(outcome)) fail(key);
      else if (blind.delete(key) && hasObserved(outcome)) wakeOthers();
    },
    stop: () => {
      cancelTry?.();
      cancelWaking?.();
      blind.clear();
    },
  };
}

/** A key that was given a time to come back is left to that time. */
function isBlind({ outcome, reason }: Pick<RunOutcome, "outcome" | "reason">): boolean {
  const failed = outcome === "failed" || outcome === "timedOut";
  return failed && couldNotObserve(reason) && pauseMs(reason) === undefined;
}

/** Runs of objects that a user holds, or that are gone from the cluster, do not ask the cloud. */
function hasObserved({ reason }: Pick<RunOutcome, "reason">): boolean {
  return holdIn(reason) === undefined && reason.code !== "ObjectGone";
}

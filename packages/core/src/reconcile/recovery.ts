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
 * Notices the end of an outage for all keys that wait for it. The back-off of each grows with the outage, so that a cloud
 * which was away for an hour would be left alone for minutes after it is well. Therefore one of them is tried now and
 * then, whatever its back-off, and the first that gets an answer wakes the others.
 */
export interface Recovery {
  /** To be called at the end of every run of the loop. */
  ended(key: string, outcome: Pick<RunOutcome, "outcome" | "reason">): void;
  stop(): void;
}

/** How often one key is tried while the others wait; no key is tried or woken sooner than that after its own last try. */
const LEAST_PAUSE_MS = 20_000;
/** A cloud that answers only now and then must not be asked by all of them each time. */
const BETWEEN_WAKINGS_MS = 10_000;
const RETRY: Trigger = { kind: "retry" };

/** Wants the queue of one loop, and the outcomes of its runs. */
export function createRecovery({ queue, clock }: RecoveryOptions): Recovery {
  /** Keys whose last run could not observe, with when it ended in monotonic milliseconds; the oldest first. */
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

  /** Returns whether some had failed too recently to be woken. */
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

/** A key that was given a time to come back at comes back then. */
function isBlind({ outcome, reason }: Pick<RunOutcome, "outcome" | "reason">): boolean {
  const failed = outcome === "failed" || outcome === "timedOut";
  return failed && couldNotObserve(reason) && pauseMs(reason) === undefined;
}

/** For an object that a user holds, or that is gone from the cluster, the cloud is not asked. */
function hasObserved({ reason }: Pick<RunOutcome, "reason">): boolean {
  return holdIn(reason) === undefined && reason.code !== "ObjectGone";
}

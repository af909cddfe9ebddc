import type { Clock } from "../time.ts";

/** A clock for tests, which moves only by `advance`. */
export interface ManualClock extends Clock {
  /**
   * Advances the clock by this many milliseconds: runs each timer at its due time, and the promises that follow from
   * it.
   */
  advance(ms: number): Promise<void>;
  /** Advances the clock as for a process that was stopped: nothing runs before the whole time has passed. */
  jump(ms: number): Promise<void>;
  readonly pending: number;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

const START = Date.parse("2026-01-01T00:00:00Z");

export function createManualClock(): ManualClock {
  const timers = new Set<Timer>();
  let elapsed = 0;

  function nextDue(until: number): Timer | undefined {
    const due = [...timers].filter((timer) => timer.at <= until);
    return due.sort((one, other) => one.at - other.at)[0];
  }

  async function runUntil(until: number): Promise<void> {
    await settle();
    for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
      timers.delete(timer);
      elapsed = Math.max(elapsed, timer.at);
      timer.callback();
      await settle();
    }
    elapsed = until;
  }

  return {
    now: () => START + elapsed,
    monotonic: () => elapsed,
    after: (delayMs, callback) => {
      const timer = { at: elapsed + Math.max(delayMs, 0), callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: (ms) => runUntil(elapsed + ms),
    jump: (ms) => {
      elapsed += ms;
      return runUntil(elapsed);
    },
    get pending() {
      return timers.size;
    },
  };
}

/** Lets every promise settle that can. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

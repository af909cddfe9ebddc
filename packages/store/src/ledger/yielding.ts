import type { Clock } from "@cloudwright/core/model/time";
import type { Spool } from "../spool/spool.ts";
import { type Burst, watchBurst } from "./burst.ts";
import { processorWaitMs } from "./processor-wait.ts";
import type { Waiting } from "./waiting.ts";

export interface YieldingOptions {
  readonly spool: Pick<Spool, "stats">;
  readonly clock: Clock;
  readonly waiting: Pick<Waiting, "forTime">;
  /** Of this process's main thread unless given. */
  readonly burst?: Burst;
}

/** Lets a burst of work go before the draining of its records, which lose nothing by waiting in the spool. */
export interface Yielding extends Pick<Burst, "appended"> {
  /** Returns when the draining may go on; at once when it is `urgent`. */
  turn(urgent: () => boolean): Promise<void>;
  /** The database has all there was: the next burst may go first again. */
  caughtUp(): void;
}

/** The longest that the ledger stays behind for the sake of a burst: pages take a controller for silent after 30 s. */
const LONGEST_MS = 15_000;
/** Beyond this share of its room the spool is drained whatever else there is to do. */
const FULLEST = 0.25;
const POLL_EACH_MS = 250;

export function yieldToBursts({ spool, clock, waiting, ...given }: YieldingOptions): Yielding {
  const burst = given.burst ?? watchBurst({ clock, processorWaitMs });
  let hasWaitedMs = 0;

  const mayWait = (): boolean => {
    const { bytes, maxBytes } = spool.stats();
    return hasWaitedMs < LONGEST_MS && bytes < FULLEST * maxBytes;
  };

  return {
    appended: burst.appended,
    async turn(urgent) {
      while (!urgent() && mayWait() && burst.isOn()) {
        const before = clock.monotonic();
        await waiting.forTime(POLL_EACH_MS);
        hasWaitedMs += clock.monotonic() - before;
      }
    },
    caughtUp() {
      hasWaitedMs = 0;
    },
  };
}

import { readFileSync } from "node:fs";
import type { Clock } from "@cloudwright/core/model/time";
import type { Spool } from "../spool/spool.ts";
import type { Waiting } from "./waiting.ts";

export interface YieldingOptions {
  readonly spool: Pick<Spool, "stats">;
  readonly clock: Clock;
  readonly waiting: Pick<Waiting, "forTime">;
  /** Of this process's main thread unless given. */
  readonly burst?: Burst;
}

/** Lets a burst of work go first and drains its records afterwards, which lose nothing by waiting in the spool. */
export interface Yielding extends Pick<Burst, "appended"> {
  /** Returns when the draining may go on; at once when it is `urgent`. */
  turn(urgent: () => boolean): Promise<void>;
  /** To be called when the database has everything: the next burst may go first again. */
  caughtUp(): void;
}

/** How far the ledger may fall behind for the sake of a burst: pages report a controller as silent after 30 s. */
const LONGEST_MS = 15_000;
/** A spool that is fuller than this is drained whatever else there is to do. */
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

interface BurstOptions {
  readonly clock: Clock;
  /** Milliseconds so far that this process would have run and found no processor free. */
  readonly processorWaitMs: () => number;
}

/** Notices when so many records come, and processors are so scarce, that draining would slow down the work that makes them. */
export interface Burst {
  appended(): void;
  /** Whether that has been the case since the last call. */
  isOn(): boolean;
}

/** Some twenty nodes a second that are being initialised; the periodic runs of 5,000 nodes make fifty records a second. */
const MANY_A_SECOND = 100;
/** The share of the time in which the process had to wait for its turn. */
const SCARCE_SHARE = 0.1;

export function watchBurst({ clock, processorWaitMs }: BurstOptions): Burst {
  let records = 0;
  let before = { at: clock.monotonic(), waitedMs: processorWaitMs() };
  return {
    appended() {
      records += 1;
    },
    isOn() {
      const now = { at: clock.monotonic(), waitedMs: processorWaitMs() };
      const elapsedMs = now.at - before.at;
      const isMany = records * 1_000 >= MANY_A_SECOND * elapsedMs && records > 0;
      const isScarce = now.waitedMs - before.waitedMs >= SCARCE_SHARE * elapsedMs;
      before = now;
      records = 0;
      return isMany && isScarce;
    },
  };
}

/**
 * For how many milliseconds in all the main thread has been ready to run and had to wait for a processor. Only Linux says; on
 * other systems, and where the kernel does not count it, it is always 0.
 */
function processorWaitMs(): number {
  try {
    return waitedIn(readFileSync("/proc/self/schedstat", "latin1"));
  } catch {
    return 0;
  }
}

/** The file holds three numbers: nanoseconds run, nanoseconds waited, turns. */
function waitedIn(schedstat: string): number {
  const waited = Number(schedstat.split(" ")[1]);
  return Number.isFinite(waited) ? waited / 1e6 : 0;
}

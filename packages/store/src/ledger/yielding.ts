import { readFileSync } from "node:fs";
import type { Clock } from "@cloudwright/core/model/time";
import type { Spool } from "../spool/spool.ts";
import type { Waiting } from "./waiting.ts";

export interface YieldingOptions {
  readonly spool: Pick<Spool, "stats">;
  readonly clock: Clock;
  readonly waiting: Pick<Waiting, "forTime">;
  /** Of this process's main thread by default. */
  readonly burst?: Burst;
}

/** Lets a burst of work go first and drains its records afterwards; they are safe in the spool. */
export interface Yielding extends Pick<Burst, "appended"> {
  /** Resolves when draining may continue; at once when it is `urgent`. */
  turn(urgent: () => boolean): Promise<void>;
  /** Call this when the database has everything: the next burst may go first again. */
  caughtUp(): void;
}

/** How far the ledger may fall behind during a burst: pages report a controller as silent after 30 s. */
const LONGEST_MS = 15_000;
/** A spool that is fuller than this share is always drained. */
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
  /** Returns the milliseconds so far for which this process was ready to run but had no CPU. */
  readonly processorWaitMs: () => number;
}

/** Detects when so many records come, and CPU time is so scarce, that draining would slow down the work that makes them. */
export interface Burst {
  appended(): void;
  /** Reports whether that has been the case since the last call. */
  isOn(): boolean;
}

/** About twenty nodes per second being initialised; for comparison, the periodic runs of 5,000 nodes make fifty records per second. */
const MANY_A_SECOND = 100;
/** The share of time that the process waited for a CPU. */
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
 * Returns for how many milliseconds in total the main thread was ready to run but had to wait for a CPU. Only Linux reports it; on other
 * systems, and where the kernel does not count it, it is always 0.
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

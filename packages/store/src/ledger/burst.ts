import type { Clock } from "@cloudwright/core/model/time";

export interface BurstOptions {
  readonly clock: Clock;
  /** Milliseconds so far that this process would have run and found no processor free. */
  readonly processorWaitMs: () => number;
}

/** Sees when records come in such numbers, and processors are so scarce, that draining would slow down what makes them. */
export interface Burst {
  appended(): void;
  /** Whether that has been so since this was asked last. */
  isOn(): boolean;
}

/** Some twenty nodes a second that are being initialised; the periodic looks of 5,000 nodes come to fifty records a second. */
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

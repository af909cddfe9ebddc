import type { Clock, Random } from "../model/time.ts";

/** The longest delay of a timer in Node; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * The difference between `performance.now()` and the machine's monotonic time. The former has a different origin in each thread, and
 * threads compare their times.
 */
const SINCE_BOOT_MS = sinceBoot() - performance.now();

/** The system's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => SINCE_BOOT_MS + performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

function sinceBoot(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}

export const systemRandom: Random = () => Math.random();

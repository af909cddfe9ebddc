import type { Clock, Random } from "../model/time.ts";

/** The longest delay that a timer of Node takes; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Not performance.now(), which counts from another beginning in each thread: threads compare their times.
  monotonic: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1_000 + nanoseconds / 1_000_000;
  },
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = () => Math.random();

import { readFileSync } from "node:fs";

/**
 * Milliseconds that the main thread has been ready to run and had to wait for a processor, since it began. Linux alone
 * tells; elsewhere, and where a kernel keeps no such count, it is always 0.
 */
export function processorWaitMs(): number {
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

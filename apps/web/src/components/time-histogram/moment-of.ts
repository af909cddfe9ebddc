import { clockIn, type Zone } from "../time/zone.ts";

/** No zone is further from UTC, and none changes its clocks twice within it. */
const DAY = 86_400_000;

/**
 * Returns the moment at which clocks in a zone show this time, which is given as by `clockIn`. Clocks that are set back show some times
 * twice: `which` of the two. A skipped time maps to the same distance after the change.
 */
export function momentOf(clock: number, zone: Zone, which: "first" | "last"): number {
  const offsetAt = (at: number) => clockIn(at, zone) - at;
  const [before, after] = [clock - offsetAt(clock - DAY), clock - offsetAt(clock + DAY)];
  const shown = [before, after].filter((at) => clockIn(at, zone) === clock);
  if (shown.length === 0) return before;
  return which === "first" ? Math.min(...shown) : Math.max(...shown);
}

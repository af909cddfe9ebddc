import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** By how much the heap may grow over what is alive in it before it is cleaned. */
const GROWTH_PERCENT = 30;
/** Where the space of young objects stops growing; V8 alone would let it have 64 MiB of every thread. */
const YOUNG_BYTES = 8 * 1024 * 1024;

/**
 * Trades some CPU for memory: left alone, V8 lets half of a controller's heap be garbage, and gives young objects more
 * room than they need. Both flags are read whenever they matter, so that setting them while the program runs is in order.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  limitYoungSpace();
  // It grows step by step, one at a collection; and V8 makes it small again when little happens.
  new PerformanceObserver(limitYoungSpace).observe({ entryTypes: ["gc"] });
}

/** The largest size itself can be set only on Node's command line. */
function limitYoungSpace(): void {
  setFlagsFromString(`--semi-space-growth-factor=${youngBytes() < YOUNG_BYTES ? 2 : 1}`);
}

function youngBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  return young?.space_size ?? 0;
}

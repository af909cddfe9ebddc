import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** How far the heap may grow beyond its live objects before a collection, in percent. */
const GROWTH_PERCENT = 30;
/** The maximum size of the young space; by default, V8 lets it grow to 64 MiB for each thread. */
const YOUNG_BYTES = 8 * 1024 * 1024;

/**
 * Trades some CPU for memory: by default, V8 lets half of a controller's heap be garbage, and gives young objects more space than
 * they need. V8 reads both flags each time it uses them, so they can be set at runtime.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  limitYoungSpace();
  // It grows by one step at each collection; and V8 shrinks it again in quiet times.
  new PerformanceObserver(limitYoungSpace).observe({ entryTypes: ["gc"] });
}

/** The maximum itself can only be set on Node's command line. */
function limitYoungSpace(): void {
  setFlagsFromString(`--semi-space-growth-factor=${youngBytes() < YOUNG_BYTES ? 2 : 1}`);
}

function youngBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  return young?.space_size ?? 0;
}

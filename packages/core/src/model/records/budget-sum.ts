import { CALL_PRIORITIES } from "../call-priority.ts";
import {
  type ControllerUse,
  DURATION_BOUNDS_MS,
  type LookupCounts,
  type OperationCounts,
  type PriorityWaits,
} from "./budget-record.ts";

/** Adds the counts of several periods: each operation once, the most called first. */
export function sumOperations(all: readonly OperationCounts[]): readonly OperationCounts[] {
  return sumBy(all, ({ operation }) => operation, addOperations).toSorted(
    (left, right) => right.calls - left.calls || byText(left.operation, right.operation),
  );
}

/** Adds the waits of several periods, the most urgent priority first. */
export function sumPriorities(all: readonly PriorityWaits[]): readonly PriorityWaits[] {
  const rank = ({ priority }: PriorityWaits) => CALL_PRIORITIES.indexOf(priority);
  const sums = sumBy(
    all,
    ({ priority }) => priority,
    (left, right) => ({
      priority: left.priority,
      calls: left.calls + right.calls,
      waited: left.waited + right.waited,
      waitMs: left.waitMs + right.waitMs,
      longestWaitMs: Math.max(left.longestWaitMs, right.longestWaitMs),
      putOff: left.putOff + right.putOff,
    }),
  );
  return sums.toSorted((left, right) => rank(left) - rank(right));
}

export function sumLookups(all: readonly LookupCounts[]): readonly LookupCounts[] {
  return sumBy(
    all,
    ({ what }) => what,
    (left, right) => ({
      what: left.what,
      asked: left.asked + right.asked,
      withoutCall: left.withoutCall + right.withoutCall,
      shared: left.shared + right.shared,
    }),
  );
}

export function sumControllers(all: readonly ControllerUse[]): readonly ControllerUse[] {
  return sumBy(
    all,
    ({ controller }) => controller,
    (left, right) => ({
      controller: left.controller,
      runs: left.runs + right.runs,
      failed: left.failed + right.failed,
      cloudCalls: left.cloudCalls + right.cloudCalls,
      kubeCalls: left.kubeCalls + right.kubeCalls,
      periodRuns: left.periodRuns + right.periodRuns,
      periodCloudCalls: left.periodCloudCalls + right.periodCloudCalls,
    }),
  );
}

/**
 * Returns the duration, in milliseconds, that this share of the calls did not exceed, assuming an even spread between
 * two bounds; undefined without a call. Anything above the last bound counts as that bound.
 */
export function durationAt(share: number, durations: readonly number[]): number | undefined {
  const all = durations.reduce((sum, count) => sum + count, 0);
  if (all === 0) return undefined;
  const wanted = share * all;
  let below = 0;
  for (const [index, count] of durations.entries()) {
    if (below + count >= wanted && count > 0) return between(index, (wanted - below) / count);
    below += count;
  }
  return LAST_BOUND_MS;
}

const LAST_BOUND_MS = DURATION_BOUNDS_MS[DURATION_BOUNDS_MS.length - 1] ?? 0;

function between(index: number, share: number): number {
  const from = DURATION_BOUNDS_MS[index - 1] ?? 0;
  const to = DURATION_BOUNDS_MS[index] ?? LAST_BOUND_MS;
  return from + (to - from) * share;
}

function addOperations(left: OperationCounts, right: OperationCounts): OperationCounts {
  return {
    operation: left.operation,
    calls: left.calls + right.calls,
    throttled: left.throttled + right.throttled,
    failed: left.failed + right.failed,
    retries: left.retries + right.retries,
    waited: left.waited + right.waited,
    waitMs: left.waitMs + right.waitMs,
    longestWaitMs: Math.max(left.longestWaitMs, right.longestWaitMs),
    durations: addCounts(left.durations, right.durations),
  };
}

function addCounts(left: readonly number[], right: readonly number[]): readonly number[] {
  const [longer, shorter] = left.length < right.length ? [right, left] : [left, right];
  return longer.map((count, index) => count + (shorter[index] ?? 0));
}

function sumBy<Item>(
  all: readonly Item[],
  keyOf: (item: Item) => string,
  add: (left: Item, right: Item) => Item,
): readonly Item[] {
  const sums = new Map<string, Item>();
  for (const item of all) {
    const known = sums.get(keyOf(item));
    sums.set(keyOf(item), known === undefined ? item : add(known, item));
  }
  return [...sums.values()];
}

function byText(left: string, right: string): number {
  return left < right ? -1 : 1;
}

import type { BucketUse, BudgetBucket } from "../../views/budget.ts";

/** One leader's calls to one API within one minute. */
export interface MinuteUse {
  /** The minute's start, milliseconds since the epoch. */
  readonly at: number;
  readonly calls: number;
  readonly throttled: number;
  /** Undefined without a limit. */
  readonly limitPerMinute: number | undefined;
}

/** Sorts the minutes into buckets from `from` to `to`; if one leader followed another within a minute, both count. */
export function bucketsOf(
  minutes: readonly MinuteUse[],
  { from, to, bucketMs }: { readonly from: number; readonly to: number; readonly bucketMs: number },
): readonly BudgetBucket[] {
  const whole = [...groupBy(minutes, ({ at }) => at).values()].map(addLeaders);
  const sorted = groupBy(whole, ({ at }) => Math.floor((at - from) / bucketMs));
  return Array.from({ length: Math.round((to - from) / bucketMs) }, (_, index) => {
    const at = from + index * bucketMs;
    const own = sorted.get(index);
    return { at, until: at + bucketMs, use: own === undefined ? undefined : useOf(own) };
  });
}

function addLeaders(uses: readonly MinuteUse[]): MinuteUse {
  return {
    at: uses[0]?.at ?? 0,
    calls: sum(uses.map(({ calls }) => calls)),
    throttled: sum(uses.map(({ throttled }) => throttled)),
    limitPerMinute: least(uses.map(({ limitPerMinute }) => limitPerMinute)),
  };
}

function useOf(minutes: readonly MinuteUse[]): BucketUse {
  const shares = minutes.flatMap(({ calls, limitPerMinute }) =>
    limitPerMinute === undefined ? [] : [calls / Math.max(1, limitPerMinute)],
  );
  return {
    calls: sum(minutes.map(({ calls }) => calls)),
    throttled: sum(minutes.map(({ throttled }) => throttled)),
    callsPerMinute: Math.max(...minutes.map(({ calls }) => calls)),
    limitPerMinute: least(minutes.map(({ limitPerMinute }) => limitPerMinute)),
    share: shares.length === 0 ? undefined : Math.max(...shares),
  };
}

function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => number,
): ReadonlyMap<number, readonly Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? [];
    group.push(item);
    groups.set(keyOf(item), group);
  }
  return groups;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function least(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

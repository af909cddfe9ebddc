import type { BucketUse, BudgetBucket } from "@cloudwright/store/views/budget";
import { BANDS } from "./budget-messages.ts";

/** What the bars and the table of an API's use show. */
export interface UsageProps {
  readonly label: string;
  readonly buckets: readonly BudgetBucket[];
  /** Of the runs that a bar leads to. */
  readonly filter: string;
}

/** The buckets put together by `each`, counted from the newest, so that the last one is whole. */
export function mergeBuckets(
  buckets: readonly BudgetBucket[],
  each: number,
): readonly BudgetBucket[] {
  const merged: BudgetBucket[] = [];
  for (let end = buckets.length; end > 0; end -= each) {
    const part = buckets.slice(Math.max(0, end - each), end);
    const [first, last] = [part[0], part.at(-1)];
    if (first === undefined || last === undefined) continue;
    merged.unshift({ at: first.at, until: last.until, use: mergeUses(part) });
  }
  return merged;
}

function mergeUses(buckets: readonly BudgetBucket[]): BucketUse | undefined {
  return buckets
    .map(({ use }) => use)
    .filter((use) => use !== undefined)
    .reduce<BucketUse | undefined>(
      (sum, use) =>
        sum === undefined
          ? use
          : {
              calls: sum.calls + use.calls,
              throttled: sum.throttled + use.throttled,
              callsPerMinute: Math.max(sum.callsPerMinute, use.callsPerMinute),
              limitPerMinute: either(Math.min, sum.limitPerMinute, use.limitPerMinute),
              share: either(Math.max, sum.share, use.share),
            },
      undefined,
    );
}

function either(
  choose: (left: number, right: number) => number,
  left: number | undefined,
  right: number | undefined,
): number | undefined {
  if (left === undefined) return right;
  return right === undefined ? left : choose(left, right);
}

/** The chart's height is 100; a band lies between two of these. */
export interface DrawnBar {
  readonly bucket: BudgetBucket;
  readonly height: number;
  /** Where the limit and its shares lie; undefined without a limit, and where that is far above all bars. */
  readonly limit: { readonly at: number; readonly near: number; readonly over: number } | undefined;
}

export interface DrawnChart {
  readonly bars: readonly DrawnBar[];
  /** Calls a minute at the top. */
  readonly top: number;
}

/** A limit that is further above the highest bar than this would make all bars vanish. */
const LIMIT_IN_SIGHT = 4;
const LEAST_HEIGHT = 2;

/** Where everything lies: calls of the busiest minute, against a round number of calls at the top. */
export function drawChart(buckets: readonly BudgetBucket[]): DrawnChart {
  const most = Math.max(1, ...buckets.map(({ use }) => use?.callsPerMinute ?? 0));
  const limits = buckets
    .map(({ use }) => use?.limitPerMinute ?? 0)
    .filter((limit) => limit <= most * LIMIT_IN_SIGHT);
  const top = roundUp(Math.max(most, ...limits));
  const bars = buckets.map((bucket) => {
    const calls = bucket.use?.callsPerMinute ?? 0;
    const height = calls === 0 ? 0 : Math.max(LEAST_HEIGHT, (100 * calls) / top);
    return { bucket, height, limit: limitOf(bucket.use?.limitPerMinute, top) };
  });
  return { bars, top };
}

function limitOf(limitPerMinute: number | undefined, top: number): DrawnBar["limit"] {
  if (limitPerMinute === undefined || limitPerMinute > top) return undefined;
  const at = (100 * limitPerMinute) / top;
  return { at, near: at * BANDS.near, over: at * BANDS.over };
}

/** An even multiple of a power of ten, so that half of it is a number to be read, too. */
function roundUp(calls: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, calls)));
  const factor = [1, 2, 4, 6, 8, 10].find((step) => step * power >= calls) ?? 10;
  return Math.max(2, factor * power);
}

import type { BucketUse, BudgetBucket } from "@cloudwright/store/views/budget";
import { BANDS } from "./budget-messages.ts";

/** The data for the bars and the table of an API's usage. */
export interface UsageProps {
  readonly label: string;
  readonly buckets: readonly BudgetBucket[];
  /** Filters the runs that a bar links to. */
  readonly filter: string;
}

/** Merges buckets in groups of `each`, counted from the newest, so that the last group is complete. */
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

/** In units of a chart that is 100 high; a band lies between two of these. */
export interface DrawnBar {
  readonly bucket: BudgetBucket;
  readonly height: number;
  /** The heights of the limit and its shares; undefined without a limit, or if it is far above all bars. */
  readonly limit: { readonly at: number; readonly near: number; readonly over: number } | undefined;
}

export interface DrawnChart {
  readonly bars: readonly DrawnBar[];
  /** Calls per minute at the top of the chart. */
  readonly top: number;
}

/** A limit more than this many times the highest bar would make all bars vanish. */
const LIMIT_IN_SIGHT = 4;
const LEAST_HEIGHT = 2;

/** Lays out the chart: calls of the busiest minute, against a round number of calls at the top. */
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

/** Rounds up to an even multiple of a power of ten, so that half of it is a readable number, too. */
function roundUp(calls: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, calls)));
  const factor = [1, 2, 4, 6, 8, 10].find((step) => step * power >= calls) ?? 10;
  return Math.max(2, factor * power);
}

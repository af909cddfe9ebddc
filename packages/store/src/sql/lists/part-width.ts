const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Round distances between two marks, milliseconds, shortest first. */
const WIDTHS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 20, 30].map((count) => count * SECOND_MS),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((count) => count * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 8, 12].map((count) => count * HOUR_MS),
];

/** Equal parts of a time span that begin at round times (UTC). */
export interface RoundParts {
  /** The start of the first part: the start of the span, or before it. */
  readonly from: number;
  readonly width: number;
  readonly count: number;
}

/**
 * Returns the parts that cover a time span, milliseconds since the epoch: as many as wanted, fewer if their starts would not be round, or
 * one more if the span begins within a part. An empty span has one part. Pure.
 */
export function roundParts(from: number, to: number, wanted: number): RoundParts {
  const width = widthOf((to - from) / wanted);
  const start = Math.floor(from / width) * width;
  return { from: start, width, count: Math.max(1, Math.ceil((to - start) / width)) };
}

function widthOf(least: number): number {
  return WIDTHS.find((width) => width >= least) ?? Math.ceil(least / DAY_MS) * DAY_MS;
}

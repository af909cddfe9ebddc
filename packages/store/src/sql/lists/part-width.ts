const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Milliseconds between two marks that a reader finds round, from the shortest on. Each that is no less than a step is some of them. */
const WIDTHS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 20, 30].map((count) => count * SECOND_MS),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((count) => count * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 8, 12].map((count) => count * HOUR_MS),
];

/** Equal parts of a time that begin at round moments (UTC). */
export interface RoundParts {
  /** Where the first begins: at the beginning of the time, or before it. */
  readonly from: number;
  readonly width: number;
  readonly count: number;
}

/**
 * The parts that cover a time, milliseconds since the epoch: as many as are wanted, fewer where their beginnings would not be
 * round, or one more where the time begins within one. A time that has not begun by its end has one part. Pure.
 */
export function roundParts(from: number, to: number, wanted: number): RoundParts {
  const width = widthOf((to - from) / wanted);
  const start = Math.floor(from / width) * width;
  return { from: start, width, count: Math.max(1, Math.ceil((to - start) / width)) };
}

function widthOf(least: number): number {
  return WIDTHS.find((width) => width >= least) ?? Math.ceil(least / DAY_MS) * DAY_MS;
}

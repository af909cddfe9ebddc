import type { Stretch } from "../url/time-range.ts";

/** One bar: the count for one part of the time, in whole milliseconds since the epoch. */
export interface Part extends Stretch {
  readonly count: number;
}

/** Divides a stretch of time into equal parts, oldest first; returns none if it is empty. */
export function partsOf(
  histogram: Stretch & { readonly counts: readonly number[] },
): readonly Part[] {
  const { from, to, counts } = histogram;
  if (to <= from) return [];
  const edge = (index: number) => Math.round(from + ((to - from) * index) / counts.length);
  return counts.map((count, index) => ({ from: edge(index), to: edge(index + 1), count }));
}

/** Returns the stretch that covers both parts, in either order; undefined if there is no such part. */
export function stretchBetween(
  parts: readonly Stretch[],
  one: number,
  other: number,
): Stretch | undefined {
  const first = parts[Math.min(one, other)];
  const last = parts[Math.max(one, other)];
  if (first === undefined || last === undefined || last.to <= first.from) return undefined;
  return { from: first.from, to: last.to };
}

/** Returns the part at a horizontal position from 0 to 1, clamped to the first and the last. */
export function partAt(place: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(place * count)));
}

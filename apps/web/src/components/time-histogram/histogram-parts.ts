import type { Stretch } from "../url/time-range.ts";

/** One bar: how many fall into a part of the time, whole milliseconds since the epoch. */
export interface Part extends Stretch {
  readonly count: number;
}

/** The equal parts of a stretch of time, oldest first; none of a stretch without time. */
export function partsOf(
  histogram: Stretch & { readonly counts: readonly number[] },
): readonly Part[] {
  const { from, to, counts } = histogram;
  if (to <= from) return [];
  const edge = (index: number) => Math.round(from + ((to - from) * index) / counts.length);
  return counts.map((count, index) => ({ from: edge(index), to: edge(index + 1), count }));
}

/** From the beginning of the one to the end of the other, whichever comes first; undefined where there is no such part. */
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

/** The part that a place of the drawing belongs to, from 0 to 1; the first or last one beside it. */
export function partAt(place: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(place * count)));
}

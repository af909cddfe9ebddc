import type { Bar } from "./bar.ts";
import { clamp, type Interval, type TimeScale, timeScale } from "./time-scale.ts";
import { busyOf, type Waterfall } from "./waterfall.ts";

/** A shorter part would show nothing more; milliseconds. */
const SHORTEST_MS = 4;
/** A part with at least this share counts as the whole run. */
const NEARLY_ALL = 0.95;
/** How many milliseconds a part may lack of the whole run after halving and doubling its whole milliseconds. */
const ROUNDING_MS = 2;
/** The number of bisection steps; resolves a whole day to the microsecond. */
const HALVINGS = 40;

/** Returns the waterfall of a part: the bars that reach into it, drawn at full width. */
export function zoomed(model: Waterfall, part: Interval | undefined): Waterfall {
  if (part === undefined) return model;
  const bars = model.bars.filter((bar) => reaches(bar, part));
  const busy = busyOf(bars).map(({ from, to }) => ({
    from: clamp(from, part),
    to: clamp(to, part),
  }));
  return { bars, whole: part, scale: timeScale(part, busy) };
}

function reaches(bar: Pick<Bar, "from" | "to">, part: Interval): boolean {
  return bar.to >= part.from && bar.from <= part.to;
}

/** Returns a part half as long, around the open bar if that lies in it, otherwise around its middle. */
export function zoomedIn(part: Interval, chosen: Interval | undefined): Interval {
  const isWithin = chosen !== undefined && reaches(chosen, part);
  const middle = middleOf(isWithin ? chosen : part);
  return around(middle, lengthOf(part) / 2, part);
}

/** Returns a part twice as long within the whole run; undefined once that is all of it. */
export function zoomedOut(part: Interval, whole: Interval): Interval | undefined {
  return orWhole(around(middleOf(part), lengthOf(part) * 2, whole), whole);
}

/** Returns a part of the same length, moved by half of it earlier (-1) or later (1) within the whole run. */
export function shifted(part: Interval, whole: Interval, by: -1 | 1): Interval {
  const length = lengthOf(part);
  return around(middleOf(part) + (by * length) / 2, length, whole);
}

/** Returns the part between two positions of the drawing, from 0 to 1; undefined if it is too short to be intended. */
export function brushed(
  { scale, whole }: Pick<Waterfall, "scale" | "whole">,
  ends: readonly [number, number],
): Interval | undefined {
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  if (last - first < 0.01) return undefined;
  const part = { from: instantAt(scale, whole, first), to: instantAt(scale, whole, last) };
  return orWhole(around(middleOf(part), lengthOf(part), whole), whole);
}

/** Returns the instant drawn at a position. */
function instantAt(scale: TimeScale, whole: Interval, place: number): number {
  let { from, to } = whole;
  for (let turn = 0; turn < HALVINGS; turn += 1) {
    const middle = (from + to) / 2;
    if (scale.position(middle) < place) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

/** Rounds to whole milliseconds, as addresses have it, within the limits. */
function around(middle: number, length: number, limits: Interval): Interval {
  const earliest = Math.floor(limits.from);
  const latest = Math.ceil(limits.to);
  const held = Math.min(Math.max(Math.round(length), SHORTEST_MS), latest - earliest);
  const from = Math.min(Math.max(Math.round(middle - held / 2), earliest), latest - held);
  return { from, to: from + held };
}

function orWhole(part: Interval, whole: Interval): Interval | undefined {
  const lacking = lengthOf(whole) - lengthOf(part);
  return lacking <= ROUNDING_MS || lengthOf(part) >= NEARLY_ALL * lengthOf(whole)
    ? undefined
    : part;
}

function middleOf({ from, to }: Interval): number {
  return (from + to) / 2;
}

function lengthOf({ from, to }: Interval): number {
  return to - from;
}

import type { Bar } from "./bar.ts";
import { clamp, type Interval, type TimeScale, timeScale } from "./time-scale.ts";
import { busyOf, type Waterfall } from "./waterfall.ts";

/** A shorter part than this shows nothing more, milliseconds. */
const SHORTEST_MS = 4;
/** A part of this share or more is taken for the whole run. */
const NEARLY_ALL = 0.95;
/** What a part's whole milliseconds, halved and doubled again, may lack of the whole run. */
const ROUNDING_MS = 2;
/** How far an instant is searched for; a whole day is resolved to the microsecond. */
const HALVINGS = 40;

/** The part of a run that is looked at: the bars that reach into it, drawn over the whole width. */
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

/** Half as long, around what is chosen where that lies in it, else around its middle. */
export function zoomedIn(part: Interval, chosen: Interval | undefined): Interval {
  const isWithin = chosen !== undefined && reaches(chosen, part);
  const middle = middleOf(isWithin ? chosen : part);
  return around(middle, lengthOf(part) / 2, part);
}

/** Twice as long within the whole run; undefined once that is all of it. */
export function zoomedOut(part: Interval, whole: Interval): Interval | undefined {
  return orWhole(around(middleOf(part), lengthOf(part) * 2, whole), whole);
}

/** As long, and half of it earlier (-1) or later (1) within the whole run. */
export function shifted(part: Interval, whole: Interval, by: -1 | 1): Interval {
  const length = lengthOf(part);
  return around(middleOf(part) + (by * length) / 2, length, whole);
}

/** The part between two places of the drawing, from 0 to 1; undefined for one that is too short to have been meant. */
export function brushed(
  { scale, whole }: Pick<Waterfall, "scale" | "whole">,
  ends: readonly [number, number],
): Interval | undefined {
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  if (last - first < 0.01) return undefined;
  const part = { from: instantAt(scale, whole, first), to: instantAt(scale, whole, last) };
  return orWhole(around(middleOf(part), lengthOf(part), whole), whole);
}

/** The instant that is drawn at a place. */
function instantAt(scale: TimeScale, whole: Interval, place: number): number {
  let { from, to } = whole;
  for (let turn = 0; turn < HALVINGS; turn += 1) {
    const middle = (from + to) / 2;
    if (scale.position(middle) < place) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

/** In whole milliseconds, as an address has it, and within the limits. */
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

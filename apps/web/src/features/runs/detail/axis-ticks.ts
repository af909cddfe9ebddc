import { formatDuration } from "@cloudwright/core/model/duration";
import type { Waterfall } from "./waterfall.ts";

export interface Tick {
  /** Milliseconds since the run's start. */
  readonly at: number;
  /** Where it is drawn, from 0 to 1. */
  readonly place: number;
}

/** So many steps are tried for at the most. */
const MOST = 8;
/** Ticks are so far apart that their texts do not touch, and the last one leaves room for its own; shares of the drawing. */
const APART = 0.1;
const LAST = 0.93;

/** Round times of the run along the drawing; where idle time is drawn shorter, fewer of them. */
export function axisTicks({ whole, scale }: Pick<Waterfall, "whole" | "scale">): readonly Tick[] {
  const step = roundStep((whole.to - whole.from) / MOST);
  // Adding 0 makes 0 of −0.
  const first = Math.ceil(whole.from / step) * step + 0;
  const ticks: Tick[] = [];
  for (let at = first; at <= whole.to; at += step) {
    const place = scale.position(at);
    const isFolded = scale.folded.some(({ from, to }) => at > from && at < to);
    const isApart = place - (ticks.at(-1)?.place ?? Number.NEGATIVE_INFINITY) >= APART;
    if (!isFolded && isApart && place <= LAST) ticks.push({ at, place });
  }
  return ticks;
}

/** `0`, `+200 ms`, and before the run's start `−1.5 s`. */
export function tickText(at: number): string {
  if (at === 0) return "0";
  return `${at < 0 ? "−" : "+"}${formatDuration(Math.abs(at))}`;
}

/** The next of 1, 2, 5, 10, 20, … that is as long or longer; never below one millisecond. */
function roundStep(length: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(length, 1)));
  return power * ([1, 2, 5].find((factor) => factor * power >= length) ?? 10);
}

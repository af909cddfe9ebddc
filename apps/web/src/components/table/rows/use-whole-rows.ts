"use client";
import { useEffect, useReducer, useRef } from "react";

/** This many rows get all their cells in one frame: about as many as one turn of the wheel brings, and few enough for a frame. */
const MOST_A_FRAME = 3;

const NOTHING: ReadonlySet<number> = new Set();

/**
 * Returns which of the rows in the document have all their cells. A fling or a dragged scroll bar brings a screen of new rows with each
 * frame, more than can be drawn in one: they show only their name at first, and get the other cells within the next frames.
 */
export function useWholeRows(
  drawn: readonly number[],
  inSight: RowRange | null,
): ReadonlySet<number> {
  const last = useRef<ReadonlySet<number>>(NOTHING);
  const [, drawMore] = useReducer((times: number) => times + 1, 0);
  const whole = wholeRows(last.current, drawn, inSight);
  useEffect(() => {
    last.current = whole;
    if (whole.size === drawn.length) return;
    const frame = requestAnimationFrame(drawMore);
    return () => cancelAnimationFrame(frame);
  });
  return whole;
}

/** Rows by index, both ends inclusive. */
interface RowRange {
  readonly startIndex: number;
  readonly endIndex: number;
}

/** Keeps whole rows whole and completes some of the others, those in sight first. The first rows of a list are always whole. */
export function wholeRows(
  before: ReadonlySet<number>,
  drawn: readonly number[],
  inSight: RowRange | null,
): ReadonlySet<number> {
  if (before.size === 0) return new Set(drawn);
  const isInSight = (index: number) =>
    inSight !== null && index >= inSight.startIndex && index <= inSight.endIndex;
  const others = drawn.filter((index) => !before.has(index));
  const inOrder = [...others.filter(isInSight), ...others.filter((index) => !isInSight(index))];
  return new Set([
    ...drawn.filter((index) => before.has(index)),
    ...inOrder.slice(0, MOST_A_FRAME),
  ]);
}

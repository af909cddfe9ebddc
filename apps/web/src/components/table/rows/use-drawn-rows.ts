"use client";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useMemo, useState } from "react";
import { useWholeRows } from "./use-whole-rows.ts";

/** This many rows beyond the visible ones are in the document, for a turn of the wheel. */
const OVERSCAN = 8;

type Extractor = (range: Range) => number[];

/** Returns which rows are in the document, where they stand, and which of them have all their cells. */
export function useDrawnRows({
  scroller,
  count,
  height,
}: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** The height of each row in pixels. */
  readonly height: number;
}) {
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    ...useRowRange(),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new height makes all positions wrong.
  useEffect(() => virtualizer.measure(), [virtualizer, height]);
  const items = virtualizer.getVirtualItems();
  const whole = useWholeRows(virtualizer.getVirtualIndexes(), virtualizer.range);
  const last = items.at(-1);
  return {
    items,
    isWhole: (index: number) => whole.has(index),
    lastIndex: last?.index ?? 0,
    /** The pixels taken by the rows before the first and after the last drawn one. */
    before: items[0]?.start ?? 0,
    after: virtualizer.getTotalSize() - (last?.end ?? 0),
    show: virtualizer.scrollToIndex,
  };
}

/**
 * Returns which rows a virtualizer draws. After a jump these are only the rows in sight, because all are new and each adds to the cost of
 * the jump; the ones beyond the edge follow when scrolling stops.
 */
function useRowRange() {
  const [isScrolling, setScrolling] = useState(false);
  const [atRest, onTheMove] = useMemo(rowRanges, []);
  return {
    overscan: OVERSCAN,
    rangeExtractor: isScrolling ? onTheMove : atRest,
    onChange: (virtualizer: { readonly isScrolling: boolean }) =>
      setScrolling(virtualizer.isScrolling),
  };
}

/** Two functions, because a virtualizer recalculates only when it receives a different one. */
function rowRanges(): readonly [atRest: Extractor, onTheMove: Extractor] {
  let last: Range | undefined;
  const atRest = (range: Range) => {
    last = range;
    return defaultRangeExtractor(range);
  };
  const onTheMove = (range: Range) => {
    const overscan = overscanAfter(last, range);
    last = range;
    return defaultRangeExtractor({ ...range, overscan });
  };
  return [atRest, onTheMove];
}

/** Rows by index, both ends inclusive. */
interface RowRange {
  readonly startIndex: number;
  readonly endIndex: number;
}

/** Returns how many rows beyond the edge are drawn: none if no visible row was visible before. */
export function overscanAfter(
  before: RowRange | undefined,
  now: RowRange & { readonly overscan: number },
): number {
  if (before === undefined) return now.overscan;
  const isJump = now.startIndex > before.endIndex || now.endIndex < before.startIndex;
  return isJump ? 0 : now.overscan;
}

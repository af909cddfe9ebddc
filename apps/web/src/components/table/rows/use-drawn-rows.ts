"use client";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useMemo, useState } from "react";
import { useWholeRows } from "./use-whole-rows.ts";

/** So many rows beyond the edge are in the document, for a turn of the wheel. */
const OVERSCAN = 8;

type Extractor = (range: Range) => number[];

/** Which rows are in the document, where they stand, and which of them have all their cells. */
export function useDrawnRows({
  scroller,
  count,
  height,
}: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Of each row, pixels. */
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
    /** Pixels that the rows before the first and after the last take. */
    before: items[0]?.start ?? 0,
    after: virtualizer.getTotalSize() - (last?.end ?? 0),
    show: virtualizer.scrollToIndex,
  };
}

/**
 * Which rows a virtualizer draws. After a jump it is those in sight alone, as all of them are new and each makes the jump
 * costlier; those beyond the edge follow when the list comes to rest.
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

/** Two functions, because a virtualizer asks anew only when it is given another. */
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

/** Rows by their index, both ends included. */
interface RowRange {
  readonly startIndex: number;
  readonly endIndex: number;
}

/** How many rows beyond the edge are drawn: none where no row in sight was in sight before. */
export function overscanAfter(
  before: RowRange | undefined,
  now: RowRange & { readonly overscan: number },
): number {
  if (before === undefined) return now.overscan;
  const isJump = now.startIndex > before.endIndex || now.endIndex < before.startIndex;
  return isJump ? 0 : now.overscan;
}

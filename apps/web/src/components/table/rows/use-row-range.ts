"use client";
import { defaultRangeExtractor, type Range } from "@tanstack/react-virtual";
import { useMemo, useState } from "react";

/** So many rows beyond the edge are in the document, for a turn of the wheel. */
const OVERSCAN = 8;

type Extractor = (range: Range) => number[];

/**
 * Which rows a virtualizer draws. After a jump it is those in sight alone, as all of them are new and each makes the jump
 * costlier; those beyond the edge follow when the list comes to rest.
 */
export function useRowRange() {
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

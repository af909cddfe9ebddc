"use client";
import { type RefObject, useEffect } from "react";

/**
 * In a row that scrolls sideways, the entry that is current stands in sight when the page opens and when the row becomes narrower.
 * Only the row is scrolled, never the page around it. `key` changes when another entry may be current, or may stand elsewhere.
 */
export function useCurrentInSight(row: RefObject<HTMLElement | null>, key: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key has another current entry.
  useEffect(() => {
    const element = row.current;
    if (element === null) return;
    // It also reports the width that the row has at first.
    const width = new ResizeObserver(() => showCurrent(element));
    width.observe(element);
    return () => width.disconnect();
  }, [row, key]);
}

function showCurrent(row: HTMLElement): void {
  const current = row.querySelector("[aria-current=page], [aria-selected=true]");
  if (current !== null) row.scrollLeft += middleOf(current) - middleOf(row);
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}

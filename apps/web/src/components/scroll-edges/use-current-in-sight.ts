"use client";
import { type RefObject, useEffect } from "react";

/**
 * Keeps the current entry of a horizontally scrolling row in sight when the page opens and when the row becomes narrower. It scrolls only
 * the row, never the page around it. `key` changes when the current entry may have changed or moved.
 */
export function useCurrentInSight(row: RefObject<HTMLElement | null>, key: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key has another current entry.
  useEffect(() => {
    const element = row.current;
    if (element === null) return;
    // The observer also reports the initial width.
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

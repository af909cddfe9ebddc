"use client";
import { type RefObject, useEffect, useRef } from "react";
import { useShortcuts } from "../../shortcuts.ts";

/**
 * Makes `j` and `k` move from row to row by focusing each row's link, so that Enter, middle click and screen readers find a real link; `o`
 * opens it. A row outside the document is scrolled to first. Returns a function that focuses a row by index.
 */
export function useRowFocus(table: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly show: (index: number) => void;
  /** Lets the panel beside the list follow. */
  readonly onMove: (index: number) => void;
  readonly onSpace: (index: number) => void;
}): (index: number) => void {
  const wanted = useRef<number | undefined>(undefined);
  const linkOf = (index: number) =>
    table.scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const link = linkOf(wanted.current);
    if (link === null || link === undefined) return;
    wanted.current = undefined;
    link.focus({ preventScroll: true });
  });
  const focusRow = (index: number) => {
    table.show(index);
    const link = linkOf(index);
    if (link === null || link === undefined) wanted.current = index;
    else link.focus({ preventScroll: true });
  };
  const go = (by: number) => {
    const current = focusedIndex(table.scroller.current);
    const index = current === undefined ? 0 : current + by;
    if (index < 0 || index >= table.count) return;
    table.onMove(index);
    focusRow(index);
  };
  useShortcuts({
    j: () => go(1),
    k: () => go(-1),
    o: () => openFocused(table.scroller.current),
    " ": () => table.onSpace(focusedIndex(table.scroller.current) ?? -1),
  });
  return focusRow;
}

function focusedIndex(scroller: HTMLElement | null): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>("[data-index]");
  if (row === null || row === undefined || scroller?.contains(row) !== true) return undefined;
  return Number(row.dataset.index);
}

function openFocused(scroller: HTMLElement | null): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLAnchorElement && scroller?.contains(activeElement) === true) {
    activeElement.click();
  }
}

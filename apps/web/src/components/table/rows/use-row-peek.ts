"use client";
import { type RefObject, useEffect } from "react";
import type { Peek } from "../../peek-panel/use-peek.ts";
import { useLatest, useShortcuts } from "../../shortcuts.ts";

const CONTROLS = "a, button, input, label, summary";

/**
 * Makes a click on a row open it beside the list, or open its page if it has no panel; `x` does the same for the focused row and closes the
 * panel when pressed again. Controls in a row still work, and its text can still be selected. When a focused panel closes, the focus
 * returns to its row.
 */
export function useRowPeek(scroller: RefObject<HTMLElement | null>, peek: Peek | undefined): void {
  const toggle = (id: string | undefined) => {
    if (id !== undefined) peek?.onToggle(id);
  };
  useRowClicks(scroller, (row) => {
    const link = row.querySelector<HTMLElement>("a[href]");
    link?.focus({ preventScroll: true });
    if (row.dataset.peek === undefined) link?.click();
    else toggle(row.dataset.peek);
  });
  useShortcuts({
    x: peek === undefined ? undefined : () => toggle(focusedRow(scroller.current)?.dataset.peek),
  });
  const current = peek?.current;
  useEffect(() => {
    const element = scroller.current;
    if (current === undefined) return;
    return () => {
      if (document.activeElement === document.body) linkOf(element, current)?.focus();
    };
  }, [current, scroller]);
}

function useRowClicks(scroller: RefObject<HTMLElement | null>, onRow: (row: HTMLElement) => void) {
  const latest = useLatest(onRow);
  useEffect(() => {
    const element = scroller.current;
    const onClick = (event: MouseEvent) => {
      const row = clickedRow(event);
      if (row !== undefined) latest.current(row);
    };
    element?.addEventListener("click", onClick);
    return () => element?.removeEventListener("click", onClick);
  }, [scroller, latest]);
}

function clickedRow({ target, defaultPrevented }: MouseEvent): HTMLElement | undefined {
  if (!(target instanceof Element) || defaultPrevented) return undefined;
  const isMarking = window.getSelection()?.isCollapsed === false;
  if (isMarking || target.closest(CONTROLS) !== null) return undefined;
  return target.closest<HTMLElement>("tr[data-index]") ?? undefined;
}

function focusedRow(scroller: HTMLElement | null): HTMLElement | undefined {
  const row = document.activeElement?.closest<HTMLElement>("tr[data-peek]") ?? undefined;
  return row !== undefined && scroller?.contains(row) === true ? row : undefined;
}

function linkOf(scroller: HTMLElement | null, id: string): HTMLElement | undefined {
  const rows = scroller?.querySelectorAll<HTMLElement>("tr[data-peek]") ?? [];
  const row = [...rows].find(({ dataset }) => dataset.peek === id);
  return row?.querySelector<HTMLElement>("a") ?? undefined;
}

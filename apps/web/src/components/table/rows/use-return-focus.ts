"use client";
import { type RefObject, useEffect } from "react";
import { useLatest } from "../../shortcuts.ts";

/** By list: which row was left for its page. */
const leftFrom = new Map<string, string>();
/** The address that the browser has just gone back or forward to; until somebody does something else. */
let returnedTo: string | undefined;

if (typeof window !== "undefined") {
  window.addEventListener("popstate", () => {
    returnedTo = address();
  });
}

/** Whoever comes back to a list by the browser's Back finds the focus on the row that was left, wherever the list has it now. */
export function useReturnFocus<Row>({
  scroller,
  label,
  rows,
  rowKey,
  focusRow,
}: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly focusRow: (index: number) => void;
}): void {
  const leave = useLatest((index: number) => {
    const row = rows[index];
    if (row !== undefined) leftFrom.set(`${label} ${address()}`, rowKey(row));
  });
  useEffect(() => {
    const element = scroller.current;
    // Before a link acts on it: afterwards the address may be another one.
    const onClick = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest("a") : null;
      const row = link?.closest<HTMLElement>("[data-index]");
      if (row !== null && row !== undefined) leave.current(Number(row.dataset.index));
    };
    element?.addEventListener("click", onClick, true);
    return () => element?.removeEventListener("click", onClick, true);
  }, [scroller, leave]);
  const restore = useLatest(() => {
    if (returnedTo !== address()) return;
    const key = leftFrom.get(`${label} ${returnedTo}`);
    const index = key === undefined ? -1 : rows.findIndex((row) => rowKey(row) === key);
    if (index < 0 || !isIdle(document.activeElement)) return;
    returnedTo = undefined;
    focusRow(index);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row may come with rows that arrive later.
  useEffect(() => restore.current(), [rows, restore]);
}

/** Nobody has chosen it: the page's own beginning, or nothing. */
function isIdle(element: Element | null): boolean {
  return element === null || element.matches("body, main, h1");
}

function address(): string {
  return `${window.location.pathname}${window.location.search}`;
}

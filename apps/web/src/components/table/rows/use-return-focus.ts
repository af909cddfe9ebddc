"use client";
import { type RefObject, useEffect } from "react";
import { useLatest } from "../../shortcuts.ts";

/** The row that was left for its page, by list. */
const leftFrom = new Map<string, string>();
/** The address that the browser has just gone back or forward to, until the user does something else. */
let returnedTo: string | undefined;

if (typeof window !== "undefined") {
  window.addEventListener("popstate", () => {
    returnedTo = address();
  });
}

/** Focuses the row that was left when a user returns to a list with Back, wherever the row is now. */
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
    // Runs before the link acts on the click, because the address may differ afterwards.
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

/** The user has not focused anything: the focus is on the page's start or nowhere. */
function isIdle(element: Element | null): boolean {
  return element === null || element.matches("body, main, h1");
}

function address(): string {
  return `${window.location.pathname}${window.location.search}`;
}

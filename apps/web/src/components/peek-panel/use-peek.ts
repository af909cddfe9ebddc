"use client";
import { useCallback } from "react";
import type { ChangeView } from "../url/use-url-state.ts";

export interface Peek {
  /** The row shown beside the list. */
  readonly current: string | undefined;
  readonly onPeek: (id: string | undefined) => void;
  /** Opens the row's panel, or closes it if it is open. */
  readonly onToggle: (id: string) => void;
  /** Switches an open panel to this row. */
  readonly onMove: (id: string) => void;
}

/**
 * Keeps the row that is open beside the list in the address: opening and closing are history steps, moving from row to row is not. The
 * current row is read from the address, which is ahead of the rendered page while the browser is busy.
 */
export function usePeek<View extends { readonly peek: string | undefined }>({
  view,
  push,
  replace,
}: {
  readonly view: View;
  readonly push: ChangeView<View>;
  readonly replace: ChangeView<View>;
}): Peek {
  const current = view.peek;
  const isOpen = current !== undefined;
  const onPeek = useCallback(
    (id: string | undefined) => {
      const write = isOpen && id !== undefined ? replace : push;
      write((now) => ({ ...now, peek: id }));
    },
    [isOpen, push, replace],
  );
  const onToggle = useCallback(
    (id: string) => {
      const write = isOpen && id !== current ? replace : push;
      write((now) => ({ ...now, peek: now.peek === id ? undefined : id }));
    },
    [isOpen, current, push, replace],
  );
  const onMove = useCallback(
    (id: string) => replace((now) => (now.peek === undefined ? now : { ...now, peek: id })),
    [replace],
  );
  return { current, onPeek, onToggle, onMove };
}

"use client";
import { useCallback } from "react";
import type { ChangeView } from "../url/use-url-state.ts";

export interface Peek {
  /** What is looked at beside the list. */
  readonly current: string | undefined;
  readonly onPeek: (id: string | undefined) => void;
  /** Shows it, or puts it away when it is shown. */
  readonly onToggle: (id: string) => void;
  /** Shows it in the place of what is shown, if anything is. */
  readonly onMove: (id: string) => void;
}

/**
 * The row that is looked at, kept in the address: opening and closing are steps of history, going from row to row is none. What is
 * shown is asked of the address, which is ahead of the page for as long as a busy browser takes to render it.
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

"use client";
import { useCallback } from "react";
import type { ChangeView } from "../url/use-url-state.ts";

export interface Peek {
  /** What is looked at beside the list. */
  readonly current: string | undefined;
  readonly onPeek: (id: string | undefined) => void;
}

/** The row that is looked at, kept in the address: opening and closing are steps of history, going from row to row is none. */
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
  return { current, onPeek };
}

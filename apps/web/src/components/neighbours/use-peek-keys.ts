"use client";
import { useShortcuts } from "../shortcuts.ts";

/** Binds the keys `[` and `]` while a row is open beside its list: they open the previous or the next row instead. */
export function usePeekKeys({
  ids,
  current,
  onMove,
}: {
  /** The ids of the rows in order; undefined for a row that cannot be opened beside the list. */
  readonly ids: () => readonly (string | undefined)[];
  readonly current: string | undefined;
  readonly onMove: (id: string) => void;
}): void {
  const step = (by: 1 | -1) => () => {
    const known: readonly (string | undefined)[] = ids().filter((id) => id !== undefined);
    const id = known[known.indexOf(current) + by];
    if (id !== undefined) onMove(id);
  };
  useShortcuts(current === undefined ? {} : { "[": step(-1), "]": step(1) });
}

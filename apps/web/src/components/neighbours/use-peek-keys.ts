"use client";
import { useShortcuts } from "../shortcuts.ts";

/** The keys `[` and `]` while a row is looked at beside its list: the one before or after it is looked at instead. */
export function usePeekKeys({
  ids,
  current,
  onMove,
}: {
  /** Of the rows in their order; undefined of one that cannot be looked at. */
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

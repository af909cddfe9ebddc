"use client";
import { useMemo, useState } from "react";
import type { Reading } from "./use-reading.ts";

interface Held extends HeldOrder {
  readonly what: string;
}

/** Rows that stand still while they are read, though they are asked for again all the time. */
export function useSteadyRows<Row>({
  pages,
  keyOf,
  what,
}: {
  readonly pages: readonly (readonly Row[])[];
  /** The same function each time. */
  readonly keyOf: (row: Row) => string;
  /** Identifies the filter and order: what is read is the list of one of them. */
  readonly what: string;
}) {
  const [held, setHeld] = useState<Held | undefined>(undefined);
  const [beginning, setBeginning] = useState(0);
  const current = held?.what === what ? held : undefined;
  const { rows, fresh } = useMemo(
    () =>
      current === undefined ? { rows: pages.flat(), fresh: 0 } : steadyRows(current, pages, keyOf),
    [current, pages, keyOf],
  );
  const hold = () => setHeld({ keys: rows.map(keyOf), pages: pages.length, what });
  // The rows of a page that was loaded while one reads are read from then on.
  if (current !== undefined && pages.length > current.pages) hold();
  const reading: Reading = {
    begin: () => {
      if (current === undefined) hold();
    },
    end: () => setHeld(undefined),
  };
  const show = () => {
    setHeld(undefined);
    setBeginning((before) => before + 1);
  };
  return { rows, fresh, reading, beginning, show };
}

/** The order in which a user reads a list. */
export interface HeldOrder {
  /** Keys of the rows. */
  readonly keys: readonly string[];
  /** How many pages of it were loaded. */
  readonly pages: number;
}

interface SteadyRows<Row> {
  readonly rows: readonly Row[];
  /** How many have come among them since, which are not shown. */
  readonly fresh: number;
}

/**
 * The rows in the order in which they are read, each as it is now. What came among them since is counted and left out, what
 * came after them by loading on follows, and what is gone goes: nothing that one reads moves by what is new.
 */
export function steadyRows<Row>(
  { keys, pages: heldPages }: HeldOrder,
  pages: readonly (readonly Row[])[],
  keyOf: (row: Row) => string,
): SteadyRows<Row> {
  const held = new Set(keys);
  const present = new Map(pages.flat().map((row) => [keyOf(row), row]));
  const read = keys.flatMap((key) => present.get(key) ?? []);
  // Nothing is read any more, so nothing can move.
  if (read.length === 0) return { rows: pages.flat(), fresh: 0 };
  const isNew = (row: Row) => !held.has(keyOf(row));
  const followed = pages.slice(heldPages).flat().filter(isNew);
  const fresh = pages.slice(0, heldPages).flat().filter(isNew).length;
  return { rows: [...read, ...followed], fresh };
}

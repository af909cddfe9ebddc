"use client";
import { useMemo, useState } from "react";
import type { Reading } from "./use-reading.ts";

interface Held extends HeldOrder {
  readonly what: string;
}

/** Keeps rows in place while they are being read, although they are refetched all the time. */
export function useSteadyRows<Row>({
  pages,
  keyOf,
  what,
}: {
  readonly pages: readonly (readonly Row[])[];
  /** Must be the same function on each render. */
  readonly keyOf: (row: Row) => string;
  /** Identifies the filter and order that the list being read belongs to. */
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
  // The rows of a page that was loaded during reading are held from then on.
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
  /** How many rows have arrived among them since; these are not shown. */
  readonly fresh: number;
}

/**
 * Returns the rows in the order in which they are read, with their current values. New rows among them are counted and left out, rows of
 * pages loaded later follow, and deleted rows disappear, so that no new row moves what the user is reading.
 */
export function steadyRows<Row>(
  { keys, pages: heldPages }: HeldOrder,
  pages: readonly (readonly Row[])[],
  keyOf: (row: Row) => string,
): SteadyRows<Row> {
  const held = new Set(keys);
  const present = new Map(pages.flat().map((row) => [keyOf(row), row]));
  const read = keys.flatMap((key) => present.get(key) ?? []);
  // No row being read is left, so none can move.
  if (read.length === 0) return { rows: pages.flat(), fresh: 0 };
  const isNew = (row: Row) => !held.has(keyOf(row));
  const followed = pages.slice(heldPages).flat().filter(isNew);
  const fresh = pages.slice(0, heldPages).flat().filter(isNew).length;
  return { rows: [...read, ...followed], fresh };
}

"use client";
import { useMemo, useState } from "react";
import { type HeldOrder, steadyRows } from "./steady-rows.ts";
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
  /** Tells one filter and order from another: what is read is the list of one of them. */
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

"use client";
import { useEffect, useState } from "react";
import { MARK_MS } from "../just-changed/mark-time.ts";
import { type ChangedValues, changedValues, marksOf } from "./changed-values.ts";
import type { Column } from "./column.ts";

interface Seen<Row> {
  readonly rows: readonly Row[];
  /** Those that changed together, until their time is over. */
  readonly batches: readonly ChangedValues[];
}

/** Which columns of a row have just changed, by its key. */
export function useChangedValues<Row, Sort extends string>({
  rows,
  columns,
  keyOf,
}: {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row, Sort>[];
  readonly keyOf: (row: Row) => string;
}): (key: string) => string | undefined {
  const [seen, setSeen] = useState<Seen<Row>>({ rows, batches: [] });
  if (seen.rows !== rows) {
    const batch = changedValues({ before: seen.rows, after: rows, columns, keyOf });
    setSeen({ rows, batches: batch.size === 0 ? seen.batches : [...seen.batches, batch] });
  }
  const newest = seen.batches.at(-1);
  // Nothing is cleaned up: a batch has its own time, whatever changes in it.
  useEffect(() => {
    if (newest === undefined) return;
    setTimeout(
      () =>
        setSeen((last) => ({ ...last, batches: last.batches.filter((batch) => batch !== newest) })),
      MARK_MS,
    );
  }, [newest]);
  return (key) => marksOf(seen.batches, key);
}

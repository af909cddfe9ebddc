"use client";
import { useEffect, useState } from "react";
import { MARK_MS } from "../../just-changed/just-changed.tsx";
import type { Column } from "../column.ts";

interface Seen<Row> {
  readonly rows: readonly Row[];
  /** Values that changed together, until their highlight ends. */
  readonly batches: readonly ChangedValues[];
}

/** Returns which columns of each row have just changed, by the row's key. */
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
  // There is no clean-up: a batch expires at its own time, whatever changes in the meantime.
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

/** Ids of the columns whose values changed, by the key of the row. */
type ChangedValues = ReadonlyMap<string, readonly string[]>;

/** Returns the changes visible to a user who saw the previous rows; rows that appear, disappear or move have not changed. */
export function changedValues<Row, Sort extends string>({
  before,
  after,
  columns,
  keyOf,
}: {
  readonly before: readonly Row[];
  readonly after: readonly Row[];
  readonly columns: readonly Column<Row, Sort>[];
  readonly keyOf: (row: Row) => string;
}): ChangedValues {
  const known = new Map(before.map((row) => [keyOf(row), row]));
  const changed = new Map<string, readonly string[]>();
  for (const row of after) {
    const key = keyOf(row);
    const last = known.get(key);
    if (last === undefined || last === row) continue;
    const ids = columns.filter(({ value }) => value?.(last) !== value?.(row)).map(({ id }) => id);
    if (ids.length > 0) changed.set(key, ids);
  }
  return changed;
}

/** Returns the columns that any batch marks in a row as one string, so that a row with unchanged marks is not rendered again. */
export function marksOf(batches: readonly ChangedValues[], key: string): string | undefined {
  const ids = new Set(batches.flatMap((batch) => batch.get(key) ?? []));
  return ids.size === 0 ? undefined : [...ids].join(" ");
}

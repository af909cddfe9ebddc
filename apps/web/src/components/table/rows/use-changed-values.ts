"use client";
import { useEffect, useState } from "react";
import { MARK_MS } from "../../just-changed/just-changed.tsx";
import type { Column } from "../column.ts";

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

/** Ids of the columns whose values changed, by the key of the row. */
type ChangedValues = ReadonlyMap<string, readonly string[]>;

/** What a user who looked at the rows before sees change; rows that come, go or move are no change of theirs. */
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

/** The columns of a row that any of these marks, as one text, so that a row that is marked as before is not drawn anew. */
export function marksOf(batches: readonly ChangedValues[], key: string): string | undefined {
  const ids = new Set(batches.flatMap((batch) => batch.get(key) ?? []));
  return ids.size === 0 ? undefined : [...ids].join(" ");
}

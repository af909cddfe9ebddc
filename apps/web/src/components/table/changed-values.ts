import type { Column } from "./column.ts";

/** Ids of the columns whose values changed, by the key of the row. */
export type ChangedValues = ReadonlyMap<string, readonly string[]>;

/** What a person who looked at the rows before sees change; rows that come, go or move are no change of theirs. */
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

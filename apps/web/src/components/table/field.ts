/** What a column says about a row, as plain data: exports contain it, and the page shows the same. */
export interface Field<Row> {
  /** The id of the page's column. */
  readonly id: string;
  /** The page's header; for figures, with the unit, because a file has no formats. */
  readonly header: string;
  readonly value: (row: Row) => FieldValue;
}

/** Undefined means unknown. */
export type FieldValue = string | number | boolean | undefined;

export function field<Row>(
  id: string,
  header: string,
  value: (row: Row) => FieldValue,
): Field<Row> {
  return { id, header, value };
}

/** Makes a field for a point in time: ISO 8601 in UTC, whatever the page's zone. */
export function timeField<Row>(
  id: string,
  header: string,
  at: (row: Row) => number | undefined,
): Field<Row> {
  const value = (row: Row) => {
    const time = at(row);
    return time === undefined ? undefined : isoTime(time);
  };
  return { id, header, value };
}

/** Formats a time within the sentences of a file. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

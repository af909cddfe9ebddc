/** What a column says of a row as plain data: an export has it, and the page shows the same. */
export interface Field<Row> {
  /** That of the page's column. */
  readonly id: string;
  /** As the page has it; of a figure with its unit, as a file has no formats. */
  readonly header: string;
  readonly value: (row: Row) => FieldValue;
}

/** What is not known is undefined. */
export type FieldValue = string | number | boolean | undefined;

export function field<Row>(
  id: string,
  header: string,
  value: (row: Row) => FieldValue,
): Field<Row> {
  return { id, header, value };
}

/** A point in time, in ISO 8601 and UTC whatever the page's zone. */
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

/** How the sentences of a file word their times. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

import { type ObjectRef, objectName } from "@cloudwright/core/model/object-ref";
import { visibleText } from "@cloudwright/core/model/values/bounded-text";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { type CsvValue, csvLine } from "@cloudwright/store/text/csv";
import { PlainError } from "../../plain-error.ts";

export const OUTPUTS = ["table", "json", "csv"] as const;
export type Output = (typeof OUTPUTS)[number];

/** How rows are written in one output format; every format has one row per line. */
export interface Printer<Row> {
  readonly head: string;
  readonly line: (row: Row) => string;
  /** The separator between two rows. */
  readonly between: string;
  readonly tail: string;
}

export interface TableColumn<Row> {
  readonly title: string;
  readonly width: number;
  readonly text: (row: Row) => string;
}

/** Returns the printers of a list for each format: its columns for a terminal, its fields for CSV. */
export function listPrinters<Row>(
  columns: readonly TableColumn<Row>[],
  csv: { readonly head: string; readonly fields: (row: Row) => readonly CsvValue[] },
): Record<Output, Printer<Row>> {
  const tableLine = (text: (column: TableColumn<Row>) => string) =>
    columns
      .map((column) => text(column).padEnd(column.width))
      .join("  ")
      .trimEnd();
  return {
    table: {
      head: `${tableLine(({ title }) => title)}\n`,
      line: (row) => tableLine(({ text }) => text(row)),
      between: "\n",
      tail: "\n",
    },
    /** One array, with one object per line. */
    json: { head: "[\n", line: (row) => JSON.stringify(row), between: ",\n", tail: "\n]\n" },
    csv: {
      head: `${csv.head}\r\n`,
      line: (row) => csvLine(csv.fields(row)),
      between: "\r\n",
      tail: "\r\n",
    },
  };
}

/** Formats `Node w-9`, `Service shop/web`. */
export function objectText({ kind, namespace, name }: Omit<ObjectRef, "uid">): string {
  return `${kind} ${objectName({ kind, namespace, name })}`;
}

/** Writes rows to standard output as they come. */
export async function printRows<Row>(
  { head, line, between, tail }: Printer<Row>,
  rows: AsyncIterable<Row>,
): Promise<void> {
  let before = head;
  for await (const row of rows) {
    await print(before + line(row));
    before = between;
  }
  await print(before === head ? head + tail.trimStart() : tail);
}

/**
 * Prints text with invisible characters escaped, which does not change the value of JSON. Waits for a slow reader, so that a long
 * output is neither buffered in memory nor truncated. If the text cannot be written, the process ends (`endWithOutput`).
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(visibleText(text), (error) => {
      if (!error) resolve();
    });
  });
}

/** Writes output to the place that a flag names. Throws PlainError if that is not writable. */
export function writeOut(flag: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    const why = messageOf(cause);
    throw new PlainError(
      `${flag} cannot be written (${why}): name a directory that you may write to.`,
      { cause },
    );
  }
}

import { visibleText } from "@cloudwright/core/model/values/bounded-text";

export const OUTPUTS = ["table", "json", "csv"] as const;
export type Output = (typeof OUTPUTS)[number];

/** How one output format is written: a row a line in each of them. */
export interface Printer<Row> {
  readonly head: string;
  readonly line: (row: Row) => string;
  /** Stands between two rows. */
  readonly between: string;
  readonly tail: string;
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
 * Characters that are not seen stand as their escapes, which leaves JSON its value. Waits for a slow reader, so that a long output is not kept in
 * memory and its end is not cut off.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(visibleText(text), (error) => {
      if (error === undefined || error === null) resolve();
      else reject(error);
    });
  });
}

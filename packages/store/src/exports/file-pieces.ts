export const EXPORT_FORMATS = ["csv", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** How a file of rows is written. */
export interface FileWriter<Row> {
  /** What the file holds and when it was made. */
  readonly head: string;
  readonly row: (row: Row) => string;
  /** Stands between two rows. */
  readonly between: string;
  /** Ends the file: one without it was broken off. */
  readonly tail: (count: number) => string;
}

/** The file in pieces, each of one page of rows, which is read when its piece is asked for. */
export async function* filePieces<Row>(
  writer: FileWriter<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield writer.head;
  let count = 0;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield (count === 0 ? "" : writer.between) + page.map(writer.row).join(writer.between);
    count += page.length;
  }
  yield writer.tail(count);
}

/** The same pages with what is made of each row. */
export async function* mapPages<Row, Made>(
  pages: AsyncIterable<readonly Row[]>,
  make: (row: Row) => Made,
): AsyncGenerator<readonly Made[]> {
  for await (const page of pages) yield page.map(make);
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export const EXPORT_FORMATS = ["csv", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The format of a file of rows. */
export interface FileWriter<Row> {
  /** What the file holds and when it was made. */
  readonly head: string;
  readonly row: (row: Row) => string;
  /** Separator between two rows. */
  readonly between: string;
  /** The end of the file: a file without it is incomplete. */
  readonly tail: (count: number) => string;
}

/** Yields the file in pieces, each with one page of rows that is read on demand. */
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

/** Yields the same pages with each row mapped. */
export async function* mapPages<Row, Made>(
  pages: AsyncIterable<readonly Row[]>,
  make: (row: Row) => Made,
): AsyncGenerator<readonly Made[]> {
  for await (const page of pages) yield page.map(make);
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

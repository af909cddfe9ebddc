interface Pages<Page> {
  readonly pages: readonly Page[];
}

/** Returns the rows of all loaded pages; undefined before the first page. */
export function rowsOf<Row>(
  data: Pages<{ readonly rows: readonly Row[] }> | undefined,
): readonly Row[] | undefined {
  return data?.pages.flatMap((page) => page.rows);
}

export function firstPageOf<Page>(data: Pages<Page> | undefined): Page | undefined {
  return data?.pages[0];
}

interface Pages<Page> {
  readonly pages: readonly Page[];
}

/** The rows of all pages that have been loaded; undefined before the first. */
export function rowsOf<Row>(
  data: Pages<{ readonly rows: readonly Row[] }> | undefined,
): readonly Row[] | undefined {
  return data?.pages.flatMap((page) => page.rows);
}

export function firstPageOf<Page>(data: Pages<Page> | undefined): Page | undefined {
  return data?.pages[0];
}

interface Page {
  /** Cursor of the next one; absent on the last. */
  readonly next?: string | null | undefined;
}

/** A listing to its last page. One that is missing fails the whole: half a listing looks like absence. */
export async function everyPage<Read extends Page>(
  read: (cursor: string | undefined) => Promise<Read>,
): Promise<readonly Read[]> {
  const pages: Read[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    pages.push(page);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

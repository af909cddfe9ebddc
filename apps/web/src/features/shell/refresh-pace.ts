/** A list of many pages is refetched page by page, so it may be asked for again only so often for each page. */
const PAUSE_MS_PER_PAGE = 400;
const FREE_PAGES = 2;

export function isDue(
  state: { readonly data?: unknown; readonly dataUpdatedAt: number },
  now: number,
): boolean {
  const pages = pagesOf(state.data);
  return pages <= FREE_PAGES || now - state.dataUpdatedAt >= pages * PAUSE_MS_PER_PAGE;
}

function pagesOf(data: unknown): number {
  const isPaged = typeof data === "object" && data !== null && "pages" in data;
  return isPaged && Array.isArray(data.pages) ? data.pages.length : 1;
}

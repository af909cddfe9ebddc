/** A list of many pages is refetched page by page, so it may be asked for again only so often for each page. */
const PAUSE_MS_PER_PAGE = 400;
const FREE_PAGES = 2;

/** In how many milliseconds a query may be asked for again because of a live change; 0: now. */
export function dueInMs(
  state: { readonly data?: unknown; readonly dataUpdatedAt: number },
  now: number,
): number {
  const pages = pagesOf(state.data);
  if (pages <= FREE_PAGES) return 0;
  return Math.max(0, state.dataUpdatedAt + pages * PAUSE_MS_PER_PAGE - now);
}

function pagesOf(data: unknown): number {
  const isPaged = typeof data === "object" && data !== null && "pages" in data;
  return isPaged && Array.isArray(data.pages) ? data.pages.length : 1;
}

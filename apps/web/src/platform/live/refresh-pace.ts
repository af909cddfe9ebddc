/** A list of many pages is refetched page by page, so it may be asked for again only so often for each page. */
const PAUSE_MS_PER_PAGE = 400;
const FREE_PAGES = 2;

/** What is summed up anew with every change is asked for at this pace at most. */
const PAUSE_MS_OF: Readonly<Record<string, number>> = {
  overview: 2_000,
  shadow: 2_000,
  takeover: 2_000,
  controllers: 5_000,
  budget: 5_000,
};

/**
 * A node's verdicts are gathered from all Services of the cluster, and change with every wave of nodes; how full tables are,
 * and their forecast, from all nodes. A histogram counts all that a list pages through.
 */
const PAUSE_MS_OF_QUERY: Readonly<Record<string, number>> = {
  "balancers.ofNode": 5_000,
  "routes.tables": 5_000,
  "audit.histogram": 5_000,
  "runs.histogram": 10_000,
};

/** In how many milliseconds a query may be asked for again because of a live change; 0: now. */
export function dueInMs(
  state: { readonly data?: unknown; readonly dataUpdatedAt: number },
  {
    router,
    query,
    now,
  }: { readonly router: string; readonly query?: string; readonly now: number },
): number {
  const pause = PAUSE_MS_OF_QUERY[`${router}.${query}`] ?? PAUSE_MS_OF[router];
  if (pause !== undefined) return Math.max(0, state.dataUpdatedAt + pause - now);
  const pages = pagesOf(state.data);
  if (pages <= FREE_PAGES) return 0;
  return Math.max(0, state.dataUpdatedAt + pages * PAUSE_MS_PER_PAGE - now);
}

function pagesOf(data: unknown): number {
  const isPaged = typeof data === "object" && data !== null && "pages" in data;
  return isPaged && Array.isArray(data.pages) ? data.pages.length : 1;
}

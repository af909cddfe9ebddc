import type { Query, QueryClient } from "@tanstack/react-query";

/**
 * Refetches a router's queries after a change. A query in flight may have read the state before the change, so it is refetched when it has
 * ended, or marked stale if nobody observes it; a query that is not due yet is refetched when it is. No change is lost, and no burst of
 * changes can keep a long list from ever arriving.
 */
export function createRefetcher(queryClient: QueryClient): (router: string) => void {
  const later = new Map<string, ReturnType<typeof setTimeout>>();
  const overtaken = new Set<string>();
  const refetch = (router: string): void => {
    const waits = queryClient
      .getQueryCache()
      .findAll({ predicate: (query) => isOf(query, router) })
      .map((query) => dueIn(query));
    const wait = Math.max(0, ...waits);
    if (wait > 0 && !later.has(router))
      later.set(
        router,
        setTimeout(() => again(router), wait),
      );
    const due = (query: Query) => isOf(query, router) && dueIn(query) === 0;
    const underWay = queryClient
      .getQueryCache()
      .findAll({ predicate: due, fetchStatus: "fetching" });
    void queryClient.invalidateQueries({ predicate: due }, { cancelRefetch: false });
    if (underWay.length === 0 || overtaken.has(router)) return;
    overtaken.add(router);
    // Invalidating waits only for observed queries: relying on it, an abandoned query was refetched without a pause.
    void Promise.allSettled(underWay.map(({ promise }) => promise)).then(() => {
      overtaken.delete(router);
      refetch(router);
    });
  };
  const again = (router: string) => {
    later.delete(router);
    refetch(router);
  };
  return refetch;
}

function dueIn({ queryKey: [path], state }: Query): number {
  const [router = "", query = ""] = Array.isArray(path) ? path.map(String) : [];
  return dueInMs(state, { router, query, now: Date.now() });
}

function isOf({ queryKey: [path] }: Query, router: string): boolean {
  return Array.isArray(path) && path[0] === router;
}

/** A list of many pages is refetched page by page, so the minimum pause grows with its pages. */
const PAUSE_MS_PER_PAGE = 400;
const FREE_PAGES = 2;

/** Aggregates that every change recalculates are refetched at most this often. */
const PAUSE_MS_OF: Readonly<Record<string, number>> = {
  overview: 2_000,
  shadow: 2_000,
  takeover: 2_000,
  controllers: 5_000,
  budget: 5_000,
  changes: 5_000,
};

/**
 * A node's verdicts are gathered from all of the cluster's Services, and change with every wave of nodes; how full tables are, and their
 * forecast, depends on all nodes. A histogram counts everything that a list pages through.
 */
const PAUSE_MS_OF_QUERY: Readonly<Record<string, number>> = {
  "balancers.ofNode": 5_000,
  "routes.tables": 5_000,
  "audit.histogram": 5_000,
  "runs.histogram": 10_000,
};

/** Returns in how many milliseconds a live change may refetch a query; 0 means now. */
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

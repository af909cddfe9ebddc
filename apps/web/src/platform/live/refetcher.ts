import type { Query, QueryClient } from "@tanstack/react-query";
import { dueInMs } from "./refresh-pace.ts";

/**
 * Has a router's queries asked again after a change. A query that was under way may have seen the time before the change, so
 * it is asked once more when it has ended, or becomes stale where nobody looks at it any longer; one that is not due yet is
 * asked when it is. No change is lost, and no storm of changes can keep a long list from ever arriving.
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
    // Invalidating waits only for what a part of the page looks at: going by that, one that was left asked without a pause.
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

"use client";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";

/**
 * All clusters. They were read at `readAt` by the server's clock, of which this browser's is `skewMs` ahead; with no cluster
 * nothing is known of it.
 */
export function useClusters(options: { readonly refetchInterval?: number } = {}) {
  const api = useApi();
  const query = useQuery(api.clusters.list.queryOptions(undefined, options));
  const readAt = query.data?.[0]?.serverNow ?? query.dataUpdatedAt;
  return { ...query, readAt, skewMs: query.data === undefined ? 0 : query.dataUpdatedAt - readAt };
}

"use client";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";

const REFETCH_MS = 10_000;

/** The cluster as the frame shows it, and how many milliseconds this browser's clock is ahead of the server's. */
export function useCluster(cluster: string) {
  const api = useApi();
  const query = useQuery(
    api.clusters.byId.queryOptions({ cluster }, { refetchInterval: REFETCH_MS }),
  );
  const skewMs = query.data === undefined ? 0 : query.dataUpdatedAt - query.data.serverNow;
  return { ...query, skewMs };
}

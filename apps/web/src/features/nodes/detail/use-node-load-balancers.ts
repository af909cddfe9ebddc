"use client";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../components/api.ts";

/** How the node stands towards each load balancer; the page's tab counts those that it is behind. */
export function useNodeLoadBalancers(cluster: string, name: string) {
  const api = useApi();
  return useQuery(api.balancers.ofNode.queryOptions({ cluster, name }));
}

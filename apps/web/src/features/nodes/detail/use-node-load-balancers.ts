"use client";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../components/api.ts";

/** Reads the node's verdict for each load balancer; the page's tab counts those that use it. */
export function useNodeLoadBalancers(cluster: string, name: string) {
  const api = useApi();
  return useQuery(api.balancers.ofNode.queryOptions({ cluster, name }));
}

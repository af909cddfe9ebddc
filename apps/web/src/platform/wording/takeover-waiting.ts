import type { WaitingCounts } from "@cloudwright/store/views/takeover";
import { countOf } from "./action-title.ts";

/** `3 load balancers and 12 routes of an earlier manager wait for your consent`; undefined where nothing does. */
export function waitingSentence({
  balancers: loadBalancers,
  routes,
}: WaitingCounts): string | undefined {
  const named = [
    ...(loadBalancers === 0 ? [] : [countOf(loadBalancers, "load balancer")]),
    ...(routes === 0 ? [] : [countOf(routes, "route")]),
  ];
  if (named.length === 0) return undefined;
  const isOne = loadBalancers + routes === 1;
  return `${named.join(" and ")} of an earlier manager ${isOne ? "waits" : "wait"} for your consent`;
}

import type { OwnerMark } from "./load-balancers.ts";

const LONGEST_NAME = 32;

/** Upstream's cloudprovider.DefaultLoadBalancerName, which its providers use unless they say otherwise (spec/60 §4). */
export function upstreamLoadBalancerName({ objectUid }: Pick<OwnerMark, "objectUid">): string {
  return `a${objectUid.replaceAll("-", "")}`.slice(0, LONGEST_NAME);
}

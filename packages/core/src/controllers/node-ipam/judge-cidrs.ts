import type { Node } from "../../kube/client.ts";
import type { Reason } from "../../model/reason.ts";
import { phrased } from "../../model/reasons/phrases.ts";
import { type Cidr, formatCidr, overlaps, parseCidr } from "../../model/values/cidr.ts";
import { podCidrsOf } from "../objects/pod-cidrs.ts";
import type { BlockPool } from "./block-pool.ts";

/** Returns the pod ranges of a Node that can be parsed. */
export function cidrsOfNode(node: Node): readonly Cidr[] {
  return podCidrsOf(node).flatMap((text) => parseCidr(text) ?? []);
}

/**
 * Returns what is wrong with a pod range regardless of other nodes; upstream stops its whole process for this (IW-3,
 * IW-5).
 */
export function problemsWithin(
  {
    pools,
    serviceRanges,
  }: { readonly pools: readonly BlockPool[]; readonly serviceRanges: readonly Cidr[] },
  text: string,
): Reason | undefined {
  const cidr = parseCidr(text);
  if (cidr === undefined) {
    const problem = phrased("problem", "noCidr", "10.244.1.0/24");
    return { code: "PodCIDRInvalid", cidr: text, ...problem };
  }
  if (!pools.some((pool) => pool.contains(cidr))) {
    return { code: "PodCIDROutside", cidr: text, ranges: pools.map(({ name }) => name) };
  }
  const services = serviceRanges.find((range) => overlaps(range, cidr));
  if (services === undefined) return undefined;
  const problem = phrased("problem", "overlapsServices", formatCidr(services));
  return { code: "PodCIDRInvalid", cidr: text, ...problem };
}

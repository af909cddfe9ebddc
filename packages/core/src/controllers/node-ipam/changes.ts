import type { Change } from "../../model/plan.ts";
import type { ReasonOf } from "../../model/reason.ts";

/** The one write of the IPAM loop: what is given once cannot be changed any more, by anybody. */
export type PodCidrsWrite = Change & {
  readonly kind: "node.pod-cidrs.write";
  readonly before: PodCidrsPart;
  readonly after: PodCidrsPart;
  readonly reason: ReasonOf<"PodCIDRsMissing">;
};

/** In the order of the cluster's ranges. */
export type PodCidrsPart = { readonly podCIDRs: readonly string[] };

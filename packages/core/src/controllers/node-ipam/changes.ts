import type { Change } from "../../model/plan.ts";
import type { ReasonOf } from "../../model/reason.ts";

/** The only write of the IPAM loop: nobody can change pod ranges once they are set. */
export type PodCidrsWrite = Change & {
  readonly kind: "node.pod-cidrs.write";
  readonly before: PodCidrsPart;
  readonly after: PodCidrsPart;
  readonly reason: ReasonOf<"PodCIDRsMissing">;
};

/** In the order of the cluster's ranges. */
export type PodCidrsPart = { readonly podCIDRs: readonly string[] };

import type { BalancerProof } from "../../model/adoption.ts";
import type { ReasonOf } from "../../model/reason.ts";
import type {
  BalancerCandidate,
  CloudChange,
  LoadBalancerStatus,
} from "../../provider/load-balancers.ts";
import { placesOf } from "./service-object.ts";

/** A load balancer without the Service's mark that is the Service's by name, by address or by both. */
export interface Claim extends BalancerCandidate {
  readonly proofs: readonly BalancerProof[];
}

export interface ClaimFacts {
  /** What upstream's provider would have called it. */
  readonly upstreamName: string;
  readonly published: LoadBalancerStatus;
}

/** Of several the unmarked one that has most to show for being the Service's. */
export function claimOf(
  candidates: readonly BalancerCandidate[],
  facts: ClaimFacts,
): Claim | undefined {
  const claims = candidates.map((candidate) => ({
    ...candidate,
    proofs: proofsOf(candidate, facts),
  }));
  const [best] = claims.sort(
    (left, right) => rankOf(left) - rankOf(right) || (left.id < right.id ? -1 : 1),
  );
  return best;
}

/** Why a provider's change adopts it, by proofs or by consent; undefined for a change that does not. */
export function adoptionReason(
  { claim }: { readonly claim?: Claim },
  { action }: Pick<CloudChange, "action">,
  provider: string,
): ReasonOf<"BalancerAdopted"> | undefined {
  if (action !== "adopt" || claim === undefined) return undefined;
  const { id, name, addresses } = claim;
  const consent = isProven(claim) ? {} : { isByConsent: true };
  return { code: "BalancerAdopted", provider, id, name, address: addresses.join(", "), ...consent };
}

/** Two independent proofs, and nobody else's mark. */
export function isProven({ marked, proofs }: Claim): boolean {
  return marked === undefined && proofs.length === 2;
}

/**
 * Whether it is something that the Service would leave behind if it went: what has no owner, and what stands at the published
 * address with another cluster's mark. Another Service of this cluster that got the address is looked after by its own run.
 */
export function isLeftBehind({ marked, proofs }: Claim): boolean {
  if (marked === undefined) return true;
  return !marked.isOfThisCluster && proofs.includes("address");
}

function proofsOf(
  { name, addresses }: BalancerCandidate,
  { upstreamName, published }: ClaimFacts,
): readonly BalancerProof[] {
  const places = new Set(placesOf(published));
  return [
    ...(name === upstreamName ? (["name"] as const) : []),
    ...(addresses.some((one) => places.has(one)) ? (["address"] as const) : []),
  ];
}

function rankOf({ marked, proofs }: Claim): number {
  return (marked === undefined ? 0 : 10) - proofs.length;
}

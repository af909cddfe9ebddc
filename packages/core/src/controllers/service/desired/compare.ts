import {
  type CloudChange,
  isProviderError,
  type LoadBalancerCandidate,
  type LoadBalancerObservation,
  type LoadBalancerOwner,
  type LoadBalancerPlan,
  type LoadBalancerSpec,
  type LoadBalancerStatus,
  type LoadBalancers,
  type ProviderError,
  upstreamLoadBalancerName,
} from "@cloudwright/provider-api";
import type { AdoptPolicy, LoadBalancerProof } from "../../../model/adoption.ts";
import type { ReasonOf } from "../../../model/reason.ts";
import { placesOf } from "../service-object.ts";
import { isClassServed, type ServedClasses } from "./purpose.ts";

/** What the provider would do, from what it sees and what is wanted; or that it could not look. */
export type Comparison =
  | {
      readonly kind: "compared";
      readonly owner: LoadBalancerOwner;
      readonly plan: LoadBalancerPlan;
      /** What may be the owner's without its mark; undefined where there is no such thing. */
      readonly claim?: Claim;
    }
  | { readonly kind: "failed"; readonly owner: LoadBalancerOwner; readonly error: ProviderError };

export interface ToCompare {
  readonly owner: LoadBalancerOwner;
  readonly observation: LoadBalancerObservation<unknown>;
  /** Undefined: everything that carries the owner's mark is to go. */
  readonly spec: LoadBalancerSpec | undefined;
  readonly published?: LoadBalancerStatus;
  readonly everything?: boolean;
  readonly consent?: string | undefined;
  /** What becomes of a load balancer that is the owner's by both proofs; reported alone unless given. */
  readonly adopt?: AdoptPolicy;
}

/** Pure; a promise only where the provider's plan is one. */
export function compare(
  loadBalancers: Pick<LoadBalancers, "plan" | "upstreamName">,
  { owner, observation, spec, published = NOWHERE, everything, consent, adopt }: ToCompare,
): Comparison | Promise<Comparison> {
  if (observation.kind === "failed") return { kind: "failed", owner, error: observation.error };
  const { observed } = observation;
  const input = {
    owner,
    spec,
    observed,
    published,
    ...(everything === true ? { everything } : {}),
    ...(consent === undefined ? {} : { consent }),
  };
  return whenPlanned(owner, loadBalancers.plan(input), (plan) => {
    const upstreamName = loadBalancers.upstreamName?.(owner) ?? upstreamLoadBalancerName(owner);
    const claim = claimOf(plan.candidates ?? [], { upstreamName, published });
    if (claim === undefined) return { kind: "compared", owner, plan };
    if (adopt !== "published" || !isProven(claim)) return { kind: "compared", owner, plan, claim };
    const adopting = loadBalancers.plan({ ...input, proven: claim.id });
    return whenPlanned(owner, adopting, (plan) => ({ kind: "compared", owner, plan, claim }));
  });
}

/** A plan that another process makes may fail as an observation may. */
function whenPlanned(
  owner: LoadBalancerOwner,
  plan: LoadBalancerPlan | Promise<LoadBalancerPlan>,
  compared: (plan: LoadBalancerPlan) => Comparison | Promise<Comparison>,
): Comparison | Promise<Comparison> {
  if (!(plan instanceof Promise)) return compared(plan);
  return plan.then(compared, (error: unknown) => {
    if (isProviderError(error)) return { kind: "failed", owner, error };
    throw error;
  });
}

const NOWHERE: LoadBalancerStatus = { ingress: [] };

/** Whether it was made, or taken over meanwhile, for a class that another controller of this cluster serves. */
export function isOfOtherController(comparison: Comparison, served: ServedClasses): boolean {
  if (comparison.kind === "failed") return false;
  const { actual } = comparison.plan;
  return actual !== undefined && !isClassServed(actual.loadBalancerClass, served);
}

/** Whether nothing with the owner's mark is left, when everything of it was to go. */
export function isCleared(comparison: Comparison): boolean {
  if (comparison.kind === "failed") return false;
  const { changes, next } = comparison.plan;
  return changes.length === 0 && next.kind !== "inProgress" && next.kind !== "broken";
}

/** What would stand in the cloud without an owner in the cluster if the owner went now. */
export function leftBehind(comparison: Comparison): Claim | undefined {
  if (comparison.kind === "failed" || comparison.claim === undefined) return undefined;
  return isLeftBehind(comparison.claim) ? comparison.claim : undefined;
}

/** A load balancer without the Service's mark that is the Service's by name, by address or by both. */
export interface Claim extends LoadBalancerCandidate {
  readonly proofs: readonly LoadBalancerProof[];
}

export interface ClaimFacts {
  /** What upstream's provider would have called it. */
  readonly upstreamName: string;
  readonly published: LoadBalancerStatus;
}

/** Of several the unmarked one that has most to show for being the Service's. */
export function claimOf(
  candidates: readonly LoadBalancerCandidate[],
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
export function isProven({ ownedBy: marked, proofs }: Claim): boolean {
  return marked === undefined && proofs.length === 2;
}

/**
 * Whether it is something that the Service would leave behind if it went: what has no owner, and what stands at the published
 * address with another cluster's mark. Another Service of this cluster that got the address is looked after by its own run.
 */
export function isLeftBehind({ ownedBy: marked, proofs }: Claim): boolean {
  if (marked === undefined) return true;
  return !marked.isOfThisCluster && proofs.includes("address");
}

function proofsOf(
  { name, addresses }: LoadBalancerCandidate,
  { upstreamName, published }: ClaimFacts,
): readonly LoadBalancerProof[] {
  const places = new Set(placesOf(published));
  return [
    ...(name === upstreamName ? (["name"] as const) : []),
    ...(addresses.some((one) => places.has(one)) ? (["address"] as const) : []),
  ];
}

function rankOf({ ownedBy: marked, proofs }: Claim): number {
  return (marked === undefined ? 0 : 10) - proofs.length;
}

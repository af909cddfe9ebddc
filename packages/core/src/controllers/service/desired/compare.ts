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

/** What the provider would do, from what it observes and what is wanted; or that it could not observe. */
export type Comparison =
  | {
      readonly kind: "compared";
      readonly owner: LoadBalancerOwner;
      readonly plan: LoadBalancerPlan;
      /** A load balancer that may be the owner's without its mark; undefined if there is none. */
      readonly claim?: Claim;
    }
  | { readonly kind: "failed"; readonly owner: LoadBalancerOwner; readonly error: ProviderError };

export interface ToCompare {
  readonly owner: LoadBalancerOwner;
  readonly observation: LoadBalancerObservation<unknown>;
  /** Undefined: everything that carries the owner's mark is to be removed. */
  readonly spec: LoadBalancerSpec | undefined;
  readonly published?: LoadBalancerStatus;
  readonly everything?: boolean;
  readonly consent?: string | undefined;
  /** What happens to a load balancer that is the owner's by both proofs; only reported by default. */
  readonly adopt?: AdoptPolicy;
}

/** Pure; returns a promise only if the provider's plan is one. */
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

/** A plan that another process makes may fail like an observation. */
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

/**
 * Reports whether the load balancer was created, or taken over meanwhile, for a class that another controller of
 * this cluster serves.
 */
export function isOfOtherController(comparison: Comparison, served: ServedClasses): boolean {
  if (comparison.kind === "failed") return false;
  const { actual } = comparison.plan;
  return actual !== undefined && !isClassServed(actual.loadBalancerClass, served);
}

/** Reports whether nothing with the owner's mark is left, when everything of it was to be removed. */
export function isCleared(comparison: Comparison): boolean {
  if (comparison.kind === "failed") return false;
  const { changes, next } = comparison.plan;
  return changes.length === 0 && next.kind !== "inProgress" && next.kind !== "broken";
}

/** Returns what would remain in the cloud without an owner in the cluster if the owner were gone now. */
export function leftBehind(comparison: Comparison): Claim | undefined {
  if (comparison.kind === "failed" || comparison.claim === undefined) return undefined;
  return isLeftBehind(comparison.claim) ? comparison.claim : undefined;
}

/** A load balancer without the Service's mark that is the Service's by name, by address or by both. */
export interface Claim extends LoadBalancerCandidate {
  readonly proofs: readonly LoadBalancerProof[];
}

export interface ClaimFacts {
  /** The name that upstream's provider would have given it. */
  readonly upstreamName: string;
  readonly published: LoadBalancerStatus;
}

/** Returns, of several without a mark, the one with the most evidence that it is the Service's. */
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

/**
 * Returns why a provider's change adopts a load balancer, by proofs or by consent; undefined for a change that
 * does not adopt.
 */
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
 * Reports whether the Service would leave it behind: anything without an owner, and what is at the published address with
 * another cluster's mark. If another Service of this cluster got the address, that Service's own run handles it.
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

import type {
  LoadBalancerCandidate,
  LoadBalancerPlan,
  OwnerIdentity,
} from "@cloudwright/provider-api";
import { aspectsOf, othersOn } from "./compare-load-balancer.ts";
import { type Decision, inProgress, type PlanInput } from "./decision.ts";
import { type DesiredLoadBalancer, wantedOf } from "./desired-load-balancer.ts";
import { factsOf, keptOf, membersOf, statusOf } from "./kept-load-balancer.ts";
import { isBusy, type LoadBalancer, type ObservedLoadBalancer, placesOf } from "./load-balancer.ts";
import {
  deleteLoadBalancer,
  deleteRule,
  tagLoadBalancer,
  withSnapshot,
} from "./load-balancer-changes.ts";
import { foreignOwnerOf, ownedBy, tagsOf } from "./load-balancer-owner.ts";
import { planServing, tagsAfter } from "./plan-serving.ts";

/** From what is there to what should be. Pure. */
export function planLoadBalancer(input: PlanInput): LoadBalancerPlan {
  const { spec, observed, published } = input;
  const kept = keptOf(observed.balancers, published);
  if (spec === undefined) {
    const adopted = kept === undefined ? consentedTo(input) : undefined;
    const decision = adopted === undefined ? planRemoval(observed) : planAdoption(input, adopted);
    return planOf(input, kept ?? adopted, { ...decision, desired: undefined });
  }
  const wanted = wantedOf(spec);
  if (wanted.kind !== "balancer") {
    return planOf(input, kept, { changes: [], next: wanted, desired: undefined });
  }
  const { desired } = wanted;
  const serving = kept ?? adoptedBy(input, desired);
  return planOf(input, serving, { ...planServing(input, desired, serving), desired });
}

/**
 * The unmarked one that is the Service's own by proof, or that an admin gave us leave to adopt: it is what is there from then on.
 * Consent is no leave to take away what others have on it.
 */
function adoptedBy(input: PlanInput, desired: DesiredLoadBalancer): LoadBalancer | undefined {
  const adopted = consentedTo(input);
  if (adopted === undefined || adopted.id === input.proven) return adopted;
  return othersOn(adopted, desired).length === 0 ? adopted : undefined;
}

/** What carries a mark is refused, whoever consents. */
function consentedTo({ owner, observed, proven, consent }: PlanInput): LoadBalancer | undefined {
  const unmarked = observed.candidates.filter((one) => foreignOwnerOf(one, owner) === undefined);
  return unmarked.find(({ id }) => id === proven) ?? unmarked.find(({ id }) => id === consent);
}

/** With our mark it is removed as all that carries it, also should this process end in between. */
function planAdoption({ owner }: PlanInput, adopted: LoadBalancer): Decision {
  if (isBusy(adopted)) return { changes: [], next: inProgress(adopted) };
  const tags = tagsAfter(adopted, tagsOf(owner), false);
  return { changes: [tagLoadBalancer(adopted, tags)], next: { kind: "settled" } };
}

/** Rules go first, so that what is left of a removal that is cut short is found by its load balancer. */
function planRemoval({ balancers: loadBalancers, rules }: ObservedLoadBalancer): Decision {
  const busy = loadBalancers.find(isBusy);
  return {
    changes: [
      ...(rules ?? []).map(deleteRule),
      ...loadBalancers.filter((loadBalancer) => !isBusy(loadBalancer)).map(deleteLoadBalancer),
    ],
    next: busy === undefined ? { kind: "settled" } : inProgress(busy),
  };
}

function planOf(
  { owner, observed, spec }: PlanInput,
  kept: LoadBalancer | undefined,
  { changes, next, desired }: Decision & { readonly desired: DesiredLoadBalancer | undefined },
): LoadBalancerPlan {
  return {
    changes: withSnapshot(changes, observed),
    next,
    status: statusOf(kept, spec),
    actual: factsOf(kept, observed),
    aspects: aspectsOf(desired, kept, observed.rules),
    members: membersOf(kept, spec),
    ...(observed.candidates.length === 0
      ? {}
      : { candidates: observed.candidates.map((one) => candidateOf(one, owner)) }),
  };
}

function candidateOf(loadBalancer: LoadBalancer, owner: OwnerIdentity): LoadBalancerCandidate {
  const { id, name } = loadBalancer;
  return { id, name, addresses: placesOf(loadBalancer), ...ownedBy(loadBalancer, owner) };
}

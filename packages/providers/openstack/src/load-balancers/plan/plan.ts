import type { LoadBalancerPlan, LoadBalancerStatus } from "@cloudwright/provider-api";
import { ADDRESS_ANNOTATION, ID_ANNOTATION } from "../annotations.ts";
import type { Decision, PlanInput, PlanOptions } from "../decision.ts";
import { planRemoval } from "../deletion.ts";
import { type DesiredLoadBalancer, desiredOf } from "../desired.ts";
import { isPending, type LoadBalancerTree, type ObservedLoadBalancer } from "../observed.ts";
import { foreignOwnerOf, isFormerName, marksOf, namesOf } from "../ownership.ts";
import {
  aspectsOf,
  candidateOf,
  factsOf,
  isReachedBy,
  membersOf,
  placesOf,
  statusOf,
} from "../view.ts";
import { othersOn, planFirst } from "./plan-first.ts";
import { isOwn } from "./plan-listeners.ts";
import { adoption, planServing } from "./plan-serving.ts";

/** Plans from the observed to the desired state; one change of a load balancer at a time, as Octavia is busy after each. Pure. */
export function planLoadBalancer(options: PlanOptions, input: PlanInput): LoadBalancerPlan {
  const { spec, observed, owner } = input;
  const kept = keptOf(input);
  if (spec === undefined) {
    const adopted = kept === undefined ? consentedTo(input) : undefined;
    const removal =
      adopted === undefined ? planRemoval(owner, observed, options) : adoption(input, adopted);
    return planOf(input, { kept: kept ?? adopted, decision: removal });
  }
  const provider = kept?.provider || options.loadBalancer.lbProvider;
  const wanted = desiredOf(spec, options, { minor: observed.minor, provider });
  if (wanted.kind === "unsupported")
    return planOf(input, { kept, decision: { changes: [], next: wanted } });
  const { desired } = wanted;
  const serving = kept ?? adoptedBy(input, desired) ?? namedBy(input);
  const facts = { input, spec, desired, options };
  const decision =
    serving === undefined ? planFirst(facts) : planServing({ ...facts, loadBalancer: serving });
  const status = statusFor(serving, { desired, decision, observed, options });
  return planOf(input, { kept: serving, desired, decision, status });
}

/** Of several load balancers with the mark, returns the one that the Service's status publishes, else the oldest. */
function keptOf({ observed, published }: PlanInput): LoadBalancerTree | undefined {
  const rank = (one: LoadBalancerTree) => (isReachedBy(published, one, observed) ? 0 : 1);
  const [best] = [...observed.owned].sort(
    (left, right) =>
      rank(left) - rank(right) ||
      left.created_at.localeCompare(right.created_at) ||
      left.id.localeCompare(right.id),
  );
  return best;
}

/** A load balancer with a mark is refused in spite of consent. */
function consentedTo({ owner, observed, proven, consent }: PlanInput) {
  const unmarked = observed.candidates.filter((one) => foreignOwnerOf(one, owner) === undefined);
  return unmarked.find(({ id }) => id === proven) ?? unmarked.find(({ id }) => id === consent);
}

/** Consent does not permit removing what others have on it. */
function adoptedBy(input: PlanInput, desired: DesiredLoadBalancer) {
  const adopted = consentedTo(input);
  if (adopted === undefined || adopted.id === input.proven) return adopted;
  return othersOn(adopted, desired).length === 0 ? adopted : undefined;
}

/**
 * Returns the load balancer that the Service names to share it: one of this cluster, or an unmarked one that is not named after a
 * Service. One that upstream created for this very Service is adopted instead.
 */
function namedBy({ owner, observed }: PlanInput): LoadBalancerTree | undefined {
  const id = owner.annotations?.[ID_ANNOTATION];
  const named = observed.candidates.find((one) => one.id === id);
  if (named === undefined || namesOf(owner).includes(named.name) || isFormerName(named.name, owner))
    return undefined;
  const { clusterUid } = marksOf(named);
  return clusterUid === undefined || clusterUid === owner.clusterUid ? named : undefined;
}

interface StatusFacts {
  readonly desired: DesiredLoadBalancer;
  readonly decision: Decision;
  readonly observed: ObservedLoadBalancer;
  readonly options: PlanOptions;
}

/** A busy or broken load balancer does not change what is published. */
function statusFor(
  serving: LoadBalancerTree | undefined,
  { desired, decision, observed, options }: StatusFacts,
): LoadBalancerStatus | undefined {
  if (serving?.provisioning_status !== "ACTIVE") return undefined;
  const { enableIngressHostname, ingressHostnameSuffix } = options.loadBalancer;
  const isInternal = decision.isInternal ?? desired.isInternal;
  const hostnameSuffix = enableIngressHostname ? ingressHostnameSuffix : undefined;
  return statusOf({ desired, loadBalancer: serving, observed, isInternal, hostnameSuffix });
}

interface Outcome {
  readonly kept: LoadBalancerTree | undefined;
  readonly desired?: DesiredLoadBalancer;
  readonly decision: Decision;
  readonly status?: LoadBalancerStatus | undefined;
}

function planOf(input: PlanInput, outcome: Outcome): LoadBalancerPlan {
  const { owner, observed, spec } = input;
  const { desired, decision, status } = outcome;
  const notices = [...(desired?.notices ?? []), ...(decision.notices ?? [])];
  const candidates = observed.candidates.map((one) => candidateOf(one, owner, observed));
  return {
    changes: decision.changes,
    next: decision.next,
    status: spec === undefined ? { ingress: [] } : status,
    ...ofKept(input, outcome),
    ...(notices.length === 0 ? {} : { notices }),
    ...(candidates.length === 0 ? {} : { candidates }),
  };
}

/** Returns what is shown of the Service's load balancer, and the annotations that the Service should have. */
function ofKept({ owner, observed, spec }: PlanInput, { kept, desired, decision }: Outcome) {
  if (kept === undefined) return { actual: undefined, aspects: [], members: {} };
  const { floatingIps, securityGroups: groups } = observed;
  const mine = (kept.inside?.listeners ?? []).filter((one) => isOwn(one, owner, kept));
  const isInternal = decision.isInternal ?? desired?.isInternal ?? false;
  const compared = { loadBalancer: kept, observed, isInternal, mine };
  const isMarked = spec !== undefined && observed.owned.includes(kept);
  return {
    actual: factsOf(owner, kept, { floatingIps, groups }),
    aspects: desired === undefined ? [] : aspectsOf({ desired, ...compared }),
    members: membersOf(kept, spec, mine),
    ...(isMarked ? { annotations: annotationsFor(kept, observed) } : {}),
  };
}

/** Returns upstream's annotations of the Service, so that upstream and other tools find the load balancer. */
function annotationsFor(loadBalancer: LoadBalancerTree, observed: ObservedLoadBalancer) {
  const [address] = placesOf(loadBalancer, observed);
  return {
    [ID_ANNOTATION]: loadBalancer.id,
    ...(address === undefined || isPending(loadBalancer) ? {} : { [ADDRESS_ANNOTATION]: address }),
  };
}

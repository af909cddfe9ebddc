import type { BalancerPlan } from "@cloudwright/core/provider/load-balancers";
import { deleteBalancer, deleteRule, withPicture } from "./balancer-changes.ts";
import { strangerOf } from "./balancer-mark.ts";
import { aspectsOf, othersOn } from "./compare-balancer.ts";
import { type Decision, inProgress, type PlanInput } from "./decision.ts";
import { type DesiredBalancer, wantedOf } from "./desired-balancer.ts";
import { factsOf, keptOf, membersOf, statusOf } from "./kept-balancer.ts";
import { type Balancer, isBusy, type ObservedBalancer } from "./load-balancer.ts";
import { planServing } from "./plan-serving.ts";

/** From what is there to what should be. Pure. */
export function planBalancer(input: PlanInput): BalancerPlan {
  const { spec, observed, published } = input;
  const kept = keptOf(observed.balancers, published);
  if (spec === undefined)
    return planOf(input, kept, { ...planRemoval(observed), desired: undefined });
  const wanted = wantedOf(spec);
  if (wanted.kind !== "balancer") {
    return planOf(input, kept, { changes: [], next: wanted, desired: undefined });
  }
  const { desired } = wanted;
  const serving = kept ?? adoptedBy(input, desired);
  return planOf(input, serving, { ...planServing(input, desired, serving), desired });
}

/**
 * The one of our name and nobody's mark that an admin gave us leave to adopt: it is what is there from then on. Nobody gave
 * leave to take away what others have on it.
 */
function adoptedBy(
  { owner, observed, consent }: PlanInput,
  desired: DesiredBalancer,
): Balancer | undefined {
  const named = observed.named.find(({ id }) => id === consent);
  if (named === undefined || strangerOf(named, owner) !== undefined) return undefined;
  return othersOn(named, desired).length === 0 ? named : undefined;
}

/** Rules go first, so that what is left of a removal that is cut short is found by its balancer. */
function planRemoval({ balancers, rules }: ObservedBalancer): Decision {
  const busy = balancers.find(isBusy);
  return {
    changes: [
      ...(rules ?? []).map(deleteRule),
      ...balancers.filter((balancer) => !isBusy(balancer)).map(deleteBalancer),
    ],
    next: busy === undefined ? { kind: "settled" } : inProgress(busy),
  };
}

function planOf(
  { observed, spec }: PlanInput,
  kept: Balancer | undefined,
  { changes, next, desired }: Decision & { readonly desired: DesiredBalancer | undefined },
): BalancerPlan {
  return {
    changes: withPicture(changes, observed),
    next,
    status: statusOf(kept, spec),
    actual: factsOf(kept, observed),
    aspects: aspectsOf(desired, kept, observed.rules),
    members: membersOf(kept, spec),
  };
}

import type { NotTaken, Plan } from "../../model/plan.ts";
import type { Reason, ReasonOf } from "../../model/reason.ts";
import { causeOf } from "../../model/sentence.ts";
import type { Asked, WishOf } from "../../model/wish.ts";
import { activeHoldOf, holdFor, holdOf, isSameHold } from "../hold/hold.ts";
import { nextOfHold } from "../hold/plan-held.ts";
import { holdWrite, isCloudWrite, personAsked, release, type ServiceChange } from "./changes.ts";
import type { ServiceObserved } from "./observed.ts";
import { planUnasked } from "./plan-unasked.ts";

/** Holds a Service until then, or puts another hold in an earlier one's place. */
export function planHold(
  observed: ServiceObserved,
  asked: Asked<WishOf<"hold">>,
  nowMs: number,
): Plan<ServiceChange> {
  const { service } = observed;
  if (service === undefined) return refuseGone(observed, "hold", nowMs);
  const wanted = holdFor(asked);
  if (isSameHold(holdOf(service), wanted)) {
    return refusing(
      planUnasked(observed, nowMs),
      "hold",
      nothingToDo("the Service is held as wished"),
    );
  }
  return {
    changes: [holdWrite(service, asked.wish.until, personAsked(asked))],
    notTaken: [],
    next: nextOfHold(wanted, nowMs),
  };
}

/** Ends a hold, whoever set it; the Service comes back at once for what it needs now. */
export function planRelease(
  observed: ServiceObserved,
  asked: Asked,
  nowMs: number,
): Plan<ServiceChange> {
  const { service } = observed;
  if (service === undefined) return refuseGone(observed, "release", nowMs);
  const hold = holdOf(service);
  if (hold === undefined) {
    return refusing(
      planUnasked(observed, nowMs),
      "release",
      nothingToDo("the Service is not held"),
    );
  }
  const reason = personAsked(asked);
  return {
    changes: [release(service, hold, reason)],
    notTaken: [],
    next: { kind: "waiting", reason, forMs: 0 },
  };
}

/** Writes everything of the balancer again, also what is as it should be. */
export function planReensure(
  observed: ServiceObserved,
  asked: Asked,
  nowMs: number,
): Plan<ServiceChange> {
  const plan = planUnasked(observed, nowMs);
  if (observed.isCarriedOut) return plan;
  const mayBe = observed.purpose.kind === "serve";
  const problem = obstacleTo(observed, plan, { nowMs, mayBe });
  if (problem !== undefined) return refusing(plan, "reensure", { code: "WishRefused", problem });
  const { by, why } = asked;
  return inTheirName(plan, { code: "BalancerReensured", by, why });
}

/**
 * Makes a load balancer without an owner this Service's own: just the one that the admin named. Of a Service that is to have none
 * it is removed then, as all that carries its mark.
 */
export function planAdopt(
  observed: ServiceObserved,
  asked: Asked<WishOf<"adopt">>,
  nowMs: number,
): Plan<ServiceChange> {
  const plan = planUnasked(observed, nowMs);
  if (observed.isCarriedOut) return plan;
  const { balancer = "what was named" } = asked.wish;
  const compared = observed.comparison?.kind === "compared" ? observed.comparison.plan : undefined;
  const isTheOne = compared?.actual?.id === balancer && compared.next.kind !== "unowned";
  const mayBe = observed.purpose.kind === "remove" || observed.purpose.kind === "serve";
  if (isTheOne && compared.changes.length === 0) {
    return refusing(plan, "adopt", nothingToDo(`${balancer} is this Service's already`));
  }
  const problem =
    obstacleTo(observed, plan, { nowMs, mayBe }) ?? (isTheOne ? undefined : notIt(balancer));
  if (problem !== undefined) return refusing(plan, "adopt", { code: "WishRefused", problem });
  return inTheirName(plan, personAsked(asked));
}

function notIt(balancer: string): string {
  return `${balancer} is no load balancer without an owner that has this Service's name or published address`;
}

/** What the loop would do by itself, and why it does not do what was wished for; nothing is written in their name. */
export function refusing(
  plan: Plan<ServiceChange>,
  step: NotTaken["step"],
  reason: ReasonOf<"NothingToDo"> | ReasonOf<"WishRefused">,
): Plan<ServiceChange> {
  return { ...plan, notTaken: [...plan.notTaken, { step, reason }] };
}

function refuseGone(observed: ServiceObserved, step: string, nowMs: number): Plan<ServiceChange> {
  const problem = "the Service is not in the cluster";
  return refusing(planUnasked(observed, nowMs), step, { code: "WishRefused", problem });
}

function nothingToDo(what: string): ReasonOf<"NothingToDo"> {
  return { code: "NothingToDo", what };
}

/** Why a wish for the balancer cannot be carried out now. */
function obstacleTo(
  { service }: ServiceObserved,
  plan: Plan<ServiceChange>,
  { nowMs, mayBe }: { readonly nowMs: number; readonly mayBe: boolean },
): string | undefined {
  if (service === undefined || !mayBe) {
    return "the Service is to have no load balancer of ours";
  }
  if (activeHoldOf(service, nowMs) !== undefined) return "the Service is held; release it first";
  return plan.changes.some(isCloudWrite) ? undefined : causeOf(plan.next.reason);
}

function inTheirName(plan: Plan<ServiceChange>, reason: Reason): Plan<ServiceChange> {
  return {
    ...plan,
    changes: plan.changes.map((change) => (isCloudWrite(change) ? { ...change, reason } : change)),
  };
}

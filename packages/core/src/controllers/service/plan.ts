import {
  type ActionOf,
  isOwnWork,
  type RequestedAction,
  requestedByUser,
} from "../../model/actions/action.ts";
import type { Plan } from "../../model/plan.ts";
import type { Reason, ReasonOf } from "../../model/reason.ts";
import { phrased } from "../../model/reasons/phrases.ts";
import { causeOf } from "../../model/sentence.ts";
import { activeHoldOf, holdOf } from "../hold/hold.ts";
import { holdWrite, release } from "../hold/hold-changes.ts";
import { planRequested, refusing } from "../hold/plan-held.ts";
import {
  finalizerRemove,
  isCloudWrite,
  type ServiceChange,
  type ServiceRelease,
} from "./changes.ts";
import type { Observed, ServiceObserved } from "./observed.ts";
import { planOrphan } from "./orphans/plan.ts";
import { planUnrequested } from "./plan-unrequested.ts";
import { refOf } from "./service-object.ts";

/**
 * Plans what a Service's load balancer needs, or the action that a user requests for it. A retry only asks for that to be done
 * now.
 */
export function planServiceLoop(observed: Observed, nowMs: number): Plan<ServiceChange> {
  return observed.kind === "orphan" ? planOrphan(observed, nowMs) : planService(observed, nowMs);
}

function planService(observed: ServiceObserved, nowMs: number): Plan<ServiceChange> {
  const { requested, service } = observed;
  switch (requested?.action.kind) {
    case "reensure":
      return planReensure(observed, requested, nowMs);
    case "adopt":
      return planAdopt(observed, { ...requested, action: requested.action }, nowMs);
    case "abandon":
      return planAbandon(observed, requested, nowMs);
  }
  const unasked = planUnrequested(observed, nowMs);
  if (service === undefined) return planGone(unasked, requested);
  const target = refOf(service);
  return planRequested(
    requested,
    {
      ...{ object: service, name: "the Service", unasked },
      hold: (until, reason) => [
        holdWrite("service.hold", { target, hold: holdOf(service), until, reason }),
      ],
      release: (hold, reason) =>
        releaseOf(release("service.release", { target, hold, reason }), observed),
    },
    nowMs,
  );
}

/** Names the load balancer that goes with the hold, so that the plan's hash differs once its Service is deleted. */
function releaseOf(change: ServiceRelease, { purpose }: ServiceObserved): ServiceRelease {
  return purpose.kind === "remove"
    ? { ...change, after: { hold: null, loadBalancer: null } }
    : change;
}

function planGone(
  unasked: Plan<ServiceChange>,
  requested: ServiceObserved["requested"],
): Plan<ServiceChange> {
  if (requested === undefined || isOwnWork(requested.action)) return unasked;
  const problem = phrased("problem", "serviceAbsent");
  return refusing(unasked, requested.action.kind, { code: "WishRefused", ...problem });
}

/** Rewrites everything of the load balancer, including what is as it should be. */
function planReensure(
  observed: ServiceObserved,
  requested: RequestedAction,
  nowMs: number,
): Plan<ServiceChange> {
  const plan = planUnrequested(observed, nowMs);
  if (observed.isCarriedOut) return plan;
  const mayBe = observed.purpose.kind === "serve";
  const problem = obstacleTo(observed, plan, { nowMs, mayBe });
  if (problem !== undefined) return refusing(plan, "reensure", { code: "WishRefused", ...problem });
  const { by, why } = requested;
  return inTheirName(plan, { code: "BalancerReensured", by, why });
}

/**
 * Makes a load balancer without an owner this Service's own, but only the one that the admin named. If the Service must have
 * none, it is then removed like everything that carries the Service's mark.
 */
function planAdopt(
  observed: ServiceObserved,
  requested: RequestedAction<ActionOf<"adopt">>,
  nowMs: number,
): Plan<ServiceChange> {
  const plan = planUnrequested(observed, nowMs);
  if (observed.isCarriedOut) return plan;
  const { balancer: loadBalancer = "what was named" } = requested.action;
  const compared = observed.comparison?.kind === "compared" ? observed.comparison.plan : undefined;
  const isTheOne = compared?.actual?.id === loadBalancer && compared.next.kind !== "unowned";
  const mayBe = observed.purpose.kind === "remove" || observed.purpose.kind === "serve";
  if (isTheOne && compared.changes.length === 0) {
    const what = phrased("what", "loadBalancerOwned", loadBalancer);
    return refusing(plan, "adopt", { code: "NothingToDo", ...what });
  }
  const problem =
    obstacleTo(observed, plan, { nowMs, mayBe }) ??
    (isTheOne ? undefined : phrased("problem", "notAdoptable", loadBalancer));
  if (problem !== undefined) return refusing(plan, "adopt", { code: "WishRefused", ...problem });
  return inTheirName(plan, requestedByUser(requested));
}

/** Removes the finalizer, whatever the cloud still has or does not say: the admin takes responsibility for that. */
function planAbandon(
  observed: ServiceObserved,
  requested: RequestedAction,
  nowMs: number,
): Plan<ServiceChange> {
  const { service } = observed;
  const problem = obstacleToAbandon(observed, nowMs);
  if (service === undefined || problem !== undefined) {
    const unasked = planUnrequested(observed, nowMs);
    return refusing(unasked, "abandon", { code: "WishRefused", ...(problem ?? NOT_WAITING) });
  }
  const reason = requestedByUser(requested);
  const next = { kind: "settled", reason } as const;
  return { changes: [finalizerRemove(service, reason)], notTaken: [], next };
}

type Problem = Omit<ReasonOf<"WishRefused">, "code">;

const NOT_WAITING: Problem = phrased("problem", "noDeletionWaits");

function obstacleToAbandon(
  { service, purpose }: ServiceObserved,
  nowMs: number,
): Problem | undefined {
  if (service !== undefined && activeHoldOf(service, nowMs) !== undefined) {
    return phrased("problem", "serviceHeld");
  }
  const isWaiting = purpose.kind === "remove" && purpose.freesService && purpose.why === "deleted";
  return isWaiting ? undefined : NOT_WAITING;
}

/** Returns why an action for the load balancer cannot be carried out now. */
function obstacleTo(
  { service }: ServiceObserved,
  plan: Plan<ServiceChange>,
  { nowMs, mayBe }: { readonly nowMs: number; readonly mayBe: boolean },
): Problem | undefined {
  if (service === undefined || !mayBe) return phrased("problem", "noLoadBalancerHere");
  if (activeHoldOf(service, nowMs) !== undefined) return phrased("problem", "serviceHeld");
  if (plan.changes.some(isCloudWrite)) return undefined;
  const { reason } = plan.next;
  return { problem: causeOf(reason), behind: { ...reason } };
}

function inTheirName(plan: Plan<ServiceChange>, reason: Reason): Plan<ServiceChange> {
  return {
    ...plan,
    changes: plan.changes.map((change) => (isCloudWrite(change) ? { ...change, reason } : change)),
  };
}

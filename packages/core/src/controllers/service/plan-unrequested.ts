import type { Service } from "../../kube/client.ts";
import type { NotTaken, Plan } from "../../model/plan.ts";
import type { Hold, Reason } from "../../model/reason.ts";
import { activeHoldOf, holdOf } from "../hold/hold.ts";
import { release } from "../hold/hold-changes.ts";
import { planExpiry, planHeld } from "../hold/plan-held.ts";
import { isCloudWrite, type ServiceChange } from "./changes.ts";
import { withCondition } from "./condition.ts";
import type { ServiceObserved } from "./observed.ts";
import { planRemains, planRemoval } from "./plan-removal.ts";
import { planServing } from "./plan-serving.ts";
import { refOf } from "./service-object.ts";

/**
 * Plans what a Service needs without a user's action: nothing while it is held; first the removal of what an earlier
 * Service of its name left behind; then its load balancer is kept as it should be, or removed.
 */
export function planUnrequested(observed: ServiceObserved, nowMs: number): Plan<ServiceChange> {
  const { service } = observed;
  const remains = planRemains(observed);
  if (service === undefined) return remains ?? settled({ code: "ObjectGone" });
  const active = activeHoldOf(service, nowMs);
  if (active !== undefined) return planHeldService(observed, { service, hold: active }, nowMs);
  const past = holdOf(service);
  if (past !== undefined) {
    const target = refOf(service);
    return planExpiry(past, (reason) => release("service.release", { target, hold: past, reason }));
  }
  return remains ?? planByPurpose(observed, service);
}

export function planByPurpose(observed: ServiceObserved, service: Service): Plan<ServiceChange> {
  return withCondition(observed, service, planWork(observed, service));
}

function planWork(observed: ServiceObserved, service: Service): Plan<ServiceChange> {
  const { purpose } = observed;
  switch (purpose.kind) {
    case "serve":
      return planServing(observed, service);
    case "remove":
      return planRemoval(observed, { ...purpose, service });
    case "leave":
      return settled({ code: "ServiceUnwanted", why: purpose.why });
  }
}

/**
 * Writes nothing, neither to the Service nor to the cloud, even if the Service is deleted; what would be done is
 * reported.
 */
function planHeldService(
  observed: ServiceObserved,
  { service, hold }: { readonly service: Service; readonly hold: Hold },
  nowMs: number,
): Plan<ServiceChange> {
  const held = planHeld(service, hold, nowMs);
  const { changes } = planByPurpose(observed, service);
  return { ...held, notTaken: [...held.notTaken, ...changes.map(stepNotTaken)] };
}

function stepNotTaken(change: ServiceChange): NotTaken {
  const step = isCloudWrite(change)
    ? `${change.kind} ${change.cloud.value.change.what}`
    : change.kind;
  return { step, reason: change.reason };
}

function settled(reason: Reason): Plan<ServiceChange> {
  return { changes: [], notTaken: [], next: { kind: "settled", reason } };
}

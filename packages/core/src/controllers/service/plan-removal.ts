import { reasonOfProviderError } from "../../cloud/calls/provider-reason.ts";
import type { Service } from "../../kube/client.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Next, Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import { cloudWrite, finalizerRemove, type ServiceChange, statusWrite } from "./changes.ts";
import { adoptionReason, type Claim, type Comparison, leftBehind } from "./desired/compare.ts";
import type { Purpose, Unwanted } from "./desired/purpose.ts";
import type { ServiceObserved } from "./observed.ts";
import { brokenNext, inProgressNext } from "./plan-serving.ts";
import { goesWithUs, publishedBy } from "./service-object.ts";

/** What remains of an unfinished removal; undefined if nothing with the mark is left. */
export interface RemovalFacts {
  readonly provider: string;
  readonly target: ObjectRef;
  readonly reason: Reason;
}

/** Plans the removal of everything that carries the owner's mark; undefined if nothing of it is left. */
export function planCloudRemoval(
  comparison: Comparison,
  { provider, target, reason }: RemovalFacts,
): Plan<ServiceChange> | undefined {
  const { owner } = comparison;
  if (comparison.kind === "failed") {
    return only({ kind: "failed", reason: reasonOfProviderError(comparison.error) });
  }
  const { plan } = comparison;
  if (plan.changes.length > 0) {
    return {
      changes: plan.changes.map((change) =>
        cloudWrite({
          owner,
          target,
          change,
          reason: adoptionReason(comparison, change, provider) ?? reason,
        }),
      ),
      notTaken: [],
      next: { kind: "settled", reason },
      again: true,
    };
  }
  if (plan.next.kind === "inProgress") return only(inProgressNext(plan, provider));
  if (plan.next.kind === "broken") return only(brokenNext(plan.next, provider));
  return undefined;
}

export interface Removal extends Omit<Extract<Purpose, { kind: "remove" }>, "kind"> {
  readonly service: Service;
}

/**
 * Removes a Service's load balancer with all its parts, and lets the Service go only when the cloud shows that nothing of it
 * is left, even if the load balancer itself was already gone (spec/30 §4, SW-2).
 */
export function planRemoval(
  observed: ServiceObserved,
  { service, why, freesService }: Removal,
): Plan<ServiceChange> {
  const { comparison, provider, object: target } = observed;
  const reason: Reason = { code: "ServiceUnwanted", why };
  if (comparison === undefined) return only({ kind: "waiting", reason, forMs: 0 });
  const inCloud = planCloudRemoval(comparison, { provider, target, reason });
  if (inCloud !== undefined) return inCloud;
  const left = leftBehind(comparison);
  if (left !== undefined && freesService) return only(standsNext(left, provider));
  return {
    changes: [
      ...clearedStatus(service, why),
      ...(freesService ? [finalizerRemove(service, reason)] : []),
    ],
    notTaken: [],
    next: { kind: "settled", reason },
  };
}

/** The finalizer is the last trace of the load balancer: it stays until a user has decided. */
function standsNext({ id, name, proofs, ownedBy: marked }: Claim, provider: string): Next {
  const reason: Reason = {
    code: "BalancerStands",
    ...{ provider, id, name, proofs: [...proofs] },
    ...(marked === undefined ? {} : { owner: marked.owner }),
  };
  return { kind: "blocked", reason };
}

/** Plans for what earlier Services of this name left in the cloud; undefined if there is nothing. */
export function planRemains({
  remains,
  provider,
  object,
}: ServiceObserved): Plan<ServiceChange> | undefined {
  const reason: Reason = { code: "ServiceUnwanted", why: "deleted" };
  for (const comparison of remains) {
    const target = { ...object, uid: comparison.owner.objectUid };
    const plan = planCloudRemoval(comparison, { provider, target, reason });
    if (plan !== undefined) return plan;
  }
  return undefined;
}

/**
 * Clears the status of a Service that remains. One that goes with our finalizer needs no such write, and what another
 * class's controller has published belongs to that controller.
 */
function clearedStatus(service: Service, why: Unwanted): readonly ServiceChange[] {
  if (goesWithUs(service) || why === "class" || publishedBy(service).ingress.length === 0)
    return [];
  return [statusWrite(service, { ingress: [] })];
}

function only(next: Next): Plan<ServiceChange> {
  return { changes: [], notTaken: [], next };
}

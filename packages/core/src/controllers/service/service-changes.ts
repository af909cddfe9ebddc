import type { Service } from "../../kube/client.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Reason, ReasonOf } from "../../model/reason.ts";
import type { Asked } from "../../model/wish.ts";
import type { BalancerOwner, CloudChange } from "../../provider/load-balancers.ts";
import { type Hold, holdOf, holdPart } from "../hold/hold.ts";
import type {
  CloudWrite,
  ConditionWrite,
  FinalizerWrite,
  HoldWrite,
  Release,
  StatusWrite,
} from "./changes.ts";
import { type NameOf, withMemberNames } from "./members/names.ts";
import {
  addressText,
  classOf,
  conditionOf,
  FINALIZER,
  hasFinalizer,
  type Published,
  publishedBy,
  recordedClassOf,
  refOf,
  type WantedReady,
} from "./service-object.ts";
import { Unrecorded } from "./unrecorded.ts";

/** With the class under which it is served, so that it is known whose the finalizer is. */
export function finalizerAdd(service: Service): FinalizerWrite {
  const isThere = hasFinalizer(service);
  const wanted = classOf(service);
  return {
    kind: "service.finalizer.add",
    system: "cluster",
    target: refOf(service),
    before: { finalizer: isThere ? FINALIZER : null, ...recordBefore(service, wanted) },
    after: { finalizer: FINALIZER, ...recordAfter(service, wanted) },
    reason: { code: "FinalizerMissing", ...(isThere ? { isWithoutClass: true } : {}) },
  };
}

export function finalizerRemove(service: Service, reason: Reason): FinalizerWrite {
  return {
    kind: "service.finalizer.remove",
    system: "cluster",
    target: refOf(service),
    before: { finalizer: FINALIZER, ...recordBefore(service, undefined) },
    after: { finalizer: null, ...recordAfter(service, undefined) },
    reason,
  };
}

type ClassPart = Pick<FinalizerWrite["after"], "loadBalancerClass">;

function recordBefore(service: Service, wanted: string | undefined): ClassPart {
  const recorded = recordedClassOf(service);
  return recorded === wanted ? {} : { loadBalancerClass: recorded ?? null };
}

function recordAfter(service: Service, wanted: string | undefined): ClassPart {
  return recordedClassOf(service) === wanted ? {} : { loadBalancerClass: wanted ?? null };
}

export function statusWrite(service: Service, after: Published): StatusWrite {
  const before = publishedBy(service);
  return {
    kind: "service.status.write",
    system: "cluster",
    target: refOf(service),
    before,
    after,
    reason: {
      code: "BalancerAddressChanged",
      from: addressText(before),
      to: addressText(after),
    },
  };
}

export function conditionWrite(
  service: Service,
  condition: WantedReady | null,
  reason: Reason,
): ConditionWrite {
  return {
    kind: "service.condition.write",
    system: "cluster",
    target: refOf(service),
    before: { condition: conditionOf(service) },
    after: { condition },
    reason,
  };
}

export interface CloudWish {
  readonly owner: BalancerOwner;
  readonly target: ObjectRef;
  readonly change: CloudChange;
  readonly reason: Reason;
  /** The node of a machine; as the provider calls it unless given. */
  readonly nameOf?: NameOf;
}

export function cloudWrite({
  owner,
  target,
  change,
  reason,
  nameOf = (machine) => machine,
}: CloudWish): CloudWrite {
  const { action, what, target: name, before, after } = change;
  return {
    kind: `balancer.${action}`,
    system: "cloud",
    target,
    before: { what, target: name, fields: withMemberNames(before, nameOf) },
    after: { what, target: name, fields: withMemberNames(after, nameOf) },
    reason,
    cloud: new Unrecorded({ owner, change }),
  };
}

export function personAsked({ by, why, intentId }: Asked): ReasonOf<"PersonAsked"> {
  return { code: "PersonAsked", by, why, intentId };
}

export function holdWrite(
  service: Service,
  until: number,
  reason: ReasonOf<"PersonAsked">,
): HoldWrite {
  return {
    kind: "service.hold",
    system: "cluster",
    target: refOf(service),
    before: holdPart(holdOf(service)),
    after: { hold: { until } },
    reason,
  };
}

export function release(service: Service, hold: Hold, reason: Reason): Release {
  return {
    kind: "service.release",
    system: "cluster",
    target: refOf(service),
    before: holdPart(hold),
    after: { hold: null },
    reason,
  };
}

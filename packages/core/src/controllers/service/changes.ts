import type { CloudChange, LoadBalancerOwner } from "@cloudwright/provider-api";
import type { Service } from "../../kube/client.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Change } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import type { HoldWrite, Release } from "../hold/hold-changes.ts";
import { annotationOf } from "../objects/object-meta.ts";
import { type NameOf, withMemberNames } from "./members/names.ts";
import {
  addressText,
  classOf,
  conditionOf,
  FINALIZER,
  hasFinalizer,
  type Published,
  publishedBy,
  type ReadyCondition,
  recordedClassOf,
  refOf,
  type WantedReady,
} from "./service-object.ts";

/** The writes of the service loop, each with the fields that it touches before and after. */
export type ServiceChange =
  | FinalizerWrite
  | StatusWrite
  | ConditionWrite
  | CloudWrite
  | HoldWrite<"service.hold">
  | ServiceRelease;

export type ServiceRelease = Release<"service.release"> & {
  /** Without its hold, a load balancer that the Service no longer wants is deleted, and whoever releases it has to know. */
  readonly after: { readonly loadBalancer?: null };
};

export type FinalizerWrite = Change & {
  readonly kind: "service.finalizer.add" | "service.finalizer.remove";
  readonly before: FinalizerPart;
  readonly after: FinalizerPart;
};

/** The class is absent where it does not change. */
type FinalizerPart = {
  readonly finalizer: string | null;
  readonly loadBalancerClass?: string | null;
};

export type StatusWrite = Change & {
  readonly kind: "service.status.write";
  readonly before: Published & AnnotationsPart<string | null>;
  /** Includes the condition if it changes with the address. */
  readonly after: Published & AnnotationsPart<string> & { readonly condition?: WantedReady };
};

/** The annotations that the provider wants on the Service; absent if none changes. */
interface AnnotationsPart<Value> {
  readonly annotations?: Readonly<Record<string, Value>>;
}

/** Writes only the condition; its message is what the reason says. */
export type ConditionWrite = Change & {
  readonly kind: "service.condition.write";
  readonly before: { readonly condition: ReadyCondition };
  /** Null removes it. */
  readonly after: { readonly condition: WantedReady | null };
};

/**
 * A write to the cloud; `before` and `after` name the parts of the load balancer, so that the plan's hash covers
 * them.
 */
export type CloudWrite = Change & {
  readonly kind: `balancer.${CloudChange["action"]}`;
  readonly cloud: Unrecorded<CloudWork>;
};

/** What a provider needs to make the change. */
export interface CloudWork {
  readonly owner: LoadBalancerOwner;
  readonly change: CloudChange;
}

export function isCloudWrite(change: ServiceChange): change is CloudWrite {
  return change.system === "cloud";
}

/** Writes the finalizer with the class under which the Service is served, so that the finalizer's owner is known. */
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

/** `annotations`: those that change with the address. */
export function statusWrite(
  service: Service,
  published: Published,
  annotations: Readonly<Record<string, string>> = {},
): StatusWrite {
  const before = publishedBy(service);
  const names = Object.keys(annotations);
  const there = names.map((name) => [name, annotationOf(service, name) ?? null] as const);
  return {
    kind: "service.status.write",
    system: "cluster",
    target: refOf(service),
    before: { ...before, ...(names.length > 0 ? { annotations: Object.fromEntries(there) } : {}) },
    after: { ...published, ...(names.length > 0 ? { annotations } : {}) },
    reason: {
      code: "BalancerAddressChanged",
      from: addressText(before),
      to: addressText(published),
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

export interface CloudOptions {
  readonly owner: LoadBalancerOwner;
  readonly target: ObjectRef;
  readonly change: CloudChange;
  readonly reason: Reason;
  /** Names a machine's node; the provider's own name by default. */
  readonly nameOf?: NameOf;
}

export function cloudWrite({
  owner,
  target,
  change,
  reason,
  nameOf = (machine) => machine,
}: CloudOptions): CloudWrite {
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

/** Something that a change needs but no record keeps: it leaves no trace when a change is turned into text. */
class Unrecorded<Value> {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }

  toJSON(): undefined {
    return undefined;
  }
}

import { type EventText, eventText } from "../../kube/events/event-object.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Plan } from "../../model/plan.ts";
import { factsOf, type Reason } from "../../model/reason.ts";
import { eventMessage } from "../../model/sentence.ts";
import { messageOf } from "../../model/values/message-of.ts";
import type { Effect, EventEffect } from "../../reconcile/effects.ts";
import type { Announcement } from "../../reconcile/reconciler.ts";
import { eventOfHold, eventOfRelease } from "../hold/hold.ts";
import { type CloudWrite, isCloudWrite, type ServiceChange } from "./changes.ts";
import type { Claim } from "./desired/compare.ts";
import type { Announced, ServiceMemory } from "./memory.ts";
import type { Observed, ServiceObserved } from "./observed.ts";

/** Upstream's Events of Services (spec/30 §9), sent when something starts, ends or fails, not at each attempt (SW-13). */
export const SERVICE_EVENTS = {
  ensuring: eventText("EnsuringLoadBalancer", "Ensuring load balancer"),
  ensured: eventText("EnsuredLoadBalancer", "Ensured load balancer"),
  deleting: eventText("DeletingLoadBalancer", "Deleting load balancer"),
  deleted: eventText("DeletedLoadBalancer", "Deleted load balancer"),
  adopted: eventText("AdoptedLoadBalancer", "Adopted load balancer"),
  updated: eventText("UpdatedLoadBalancer", "Updated load balancer with new hosts"),
  unavailable: eventText(
    "UnAvailableLoadBalancer",
    "There are no available nodes for LoadBalancer",
  ),
} as const;

/**
 * Announces that a series of writes to the cloud starts, or that the cloud reports a load balancer as broken before it
 * is repaired.
 */
export function announce(
  observed: Observed,
  { changes }: Plan<ServiceChange>,
  memory: ServiceMemory,
): Announcement<ServiceMemory> {
  const writes = changes.filter(isCloudWrite);
  if (writes.length === 0) return { memory, effects: [] };
  if (observed.kind === "orphan") {
    return { memory: { ...memory, isBeingRemoved: true }, effects: [] };
  }
  const { uid } = observed.object;
  let { announced } = memory;
  const effects: Effect[] = [];
  for (const write of writes) {
    const warning = warningBefore(write);
    if (warning !== undefined) effects.push(eventOn(write.target, warning));
    const begun = begin(announced, write);
    if (begun === undefined) continue;
    announced = begun.announced;
    effects.push(eventOn(write.target, begun.event));
  }
  const isOwn = writes.some(({ target }) => target.uid === uid);
  const mayHaveLoadBalancer = memory.mayHaveLoadBalancer || isOwn;
  return { memory: { ...memory, announced, mayHaveLoadBalancer }, effects };
}

/** Returns the Event of the series that this write starts; undefined if it was already sent, or there is none. */
function begin(announced: Announced, write: CloudWrite) {
  const { uid = "" } = write.target;
  if (isRemoval(write)) {
    if (announced.deleting.includes(uid)) return undefined;
    const deleting = [...announced.deleting, uid];
    return { announced: { ...announced, deleting }, event: SERVICE_EVENTS.deleting };
  }
  if (write.kind === "balancer.members" || write.kind === "balancer.adopt") return undefined;
  if (announced.ensuring) return undefined;
  return { announced: { ...announced, ensuring: true }, event: SERVICE_EVENTS.ensuring };
}

/** Reports whether the change removes a load balancer for good: excess parts are deleted from one that stays. */
export function isRemoval(change: ServiceChange): boolean {
  return change.kind === "balancer.delete" && factsOf(change.reason.code).replaces !== true;
}

/** Reports that the cloud calls a load balancer broken, before it is repaired or replaced. */
function warningBefore({ reason }: CloudWrite): EventText | undefined {
  if (reason.code !== "BalancerBroken") return undefined;
  return failedToSync(reason);
}

/** Returns upstream's Event for a Service that could not be served (spec/30 §9), with our cause. */
export function failedToSync(reason: Reason): EventText {
  return eventText(
    "SyncLoadBalancerFailed",
    `Error syncing load balancer: ${eventMessage(reason)}`,
  );
}

/** Returns the Event for a user's action: who did it, and why. */
export function eventOfAction(change: ServiceChange): EventText | undefined {
  if (change.kind === "service.release") return eventOfRelease(change.reason);
  return change.kind === "service.hold"
    ? eventOfHold(change.reason, change.after.hold.until)
    : undefined;
}

/** Reports that the load balancer belongs to the Service from now on, and why. */
export function eventOfAdoption({ kind, reason }: CloudWrite): EventText | undefined {
  if (kind !== "balancer.adopt") return undefined;
  const { message, ...words } = SERVICE_EVENTS.adopted;
  return { ...words, message: `${message}: ${eventMessage(reason)}` };
}

/** For a Service deleted without its finalizer: reports what remains and is not ours to delete. */
export function eventOfLeft({ id, name }: Claim): EventText {
  return eventText(
    "DeleteLoadBalancerFailed",
    `Error deleting load balancer: ${id}, named ${name}, has no owner that allows us to delete it, so it stays in the cloud. Delete it there if nothing uses it.`,
  );
}

/**
 * Returns the provider's notices that were not reported at the last observation; one that disappeared and returns
 * is reported again.
 */
export function newNotices(
  { comparison }: Pick<ServiceObserved, "comparison">,
  { notices: known }: Announced,
): { readonly notices: readonly string[]; readonly events: readonly EventText[] } {
  // A cloud that was not or could not be asked says nothing about the present.
  if (comparison?.kind !== "compared") return { notices: known, events: [] };
  const all = comparison.plan.notices ?? [];
  const keyOf = ({ reason, message }: EventText) => `${reason}: ${message}`;
  return {
    notices: all.map(keyOf),
    events: all
      .filter((notice) => !known.includes(keyOf(notice)))
      .map(({ type, reason, message }) => ({ type, reason, message })),
  };
}

/** As many node names as fit into a message (spec/30 §5). */
const MOST_NAMES = 20;

export function memberUpdateFailed(nodes: readonly string[], error: unknown): EventText {
  const sorted = [...nodes].sort((left, right) => (left < right ? -1 : 1));
  const more = sorted.length - MOST_NAMES;
  const names = [...sorted.slice(0, MOST_NAMES), ...(more > 0 ? [`<${more} more>`] : [])];
  const cause = messageOf(error);
  return eventText(
    "UpdateLoadBalancerFailed",
    `Error updating load balancer with new hosts [${names.join(" ")}] [node names limited, total number of nodes: ${nodes.length}], error: ${cause}`,
  );
}

export function eventOn({ kind, namespace, name, uid }: ObjectRef, event: EventText): EventEffect {
  const target = {
    apiVersion: "v1",
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
  };
  return { kind: "event", target, event };
}

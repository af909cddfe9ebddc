import type { EventTarget } from "../../kube/events/event-object.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import { factsOf } from "../../model/reason.ts";
import { eventMessage } from "../../model/sentence.ts";
import type { NodeEvent as EventWords } from "../objects/node-events.ts";
import type { CloudWrite, ServiceChange } from "./changes.ts";
import type { Claim } from "./compare.ts";
import type { ServiceMemory } from "./service-memory.ts";

/** Upstream's Events of Services (spec/30 §9), told when something begins, ends or fails, not at each try (SW-13). */
export const SERVICE_EVENTS = {
  ensuring: { type: "Normal", reason: "EnsuringLoadBalancer", message: "Ensuring load balancer" },
  ensured: { type: "Normal", reason: "EnsuredLoadBalancer", message: "Ensured load balancer" },
  deleting: { type: "Normal", reason: "DeletingLoadBalancer", message: "Deleting load balancer" },
  deleted: { type: "Normal", reason: "DeletedLoadBalancer", message: "Deleted load balancer" },
  adopted: { type: "Normal", reason: "AdoptedLoadBalancer", message: "Adopted load balancer" },
  updated: {
    type: "Normal",
    reason: "UpdatedLoadBalancer",
    message: "Updated load balancer with new hosts",
  },
  unavailable: {
    type: "Warning",
    reason: "UnAvailableLoadBalancer",
    message: "There are no available nodes for LoadBalancer",
  },
} as const satisfies Record<string, EventWords>;

/** What is reported before a write to the cloud: that a series of writes begins. */
export function eventBefore(change: CloudWrite, memory: ServiceMemory): EventWords | undefined {
  const { told } = memory;
  if (isRemoval(change)) {
    if (told.deleting) return undefined;
    told.deleting = true;
    return SERVICE_EVENTS.deleting;
  }
  if (change.kind === "balancer.members" || change.kind === "balancer.adopt") return undefined;
  if (told.ensuring) return undefined;
  told.ensuring = true;
  return SERVICE_EVENTS.ensuring;
}

/** Parts that are one too many are deleted of a balancer that stays. */
export function isRemoval(change: ServiceChange): boolean {
  return change.kind === "balancer.delete" && factsOf(change.reason.code).replaces !== true;
}

/** That the cloud calls a balancer broken, before it is mended or replaced. */
export function warningBefore({ reason }: CloudWrite): EventWords | undefined {
  if (reason.code !== "BalancerBroken") return undefined;
  const message = `Error syncing load balancer: ${eventMessage(reason)}`;
  return { type: "Warning", reason: "SyncLoadBalancerFailed", message };
}

/** What is reported of a user's action: who did it, and why. */
export function eventOfWish(change: ServiceChange): EventWords | undefined {
  if (change.kind === "service.release") {
    return { type: "Normal", reason: "Released", message: eventMessage(change.reason) };
  }
  if (change.kind !== "service.hold") return undefined;
  const { by, why } = change.reason;
  const { until: untilMs } = change.after.hold;
  const message = eventMessage({ code: "HeldByAnnotation", by, why, untilMs });
  return { type: "Normal", reason: "Held", message };
}

/** That it is the Service's own from now on, and by what. */
export function eventOfAdoption({ kind, reason }: CloudWrite): EventWords | undefined {
  if (kind !== "balancer.adopt") return undefined;
  const { message, ...words } = SERVICE_EVENTS.adopted;
  return { ...words, message: `${message}: ${eventMessage(reason)}` };
}

/** Of a Service that went without its finalizer: what it left that is not ours to delete. */
export function eventOfLeft({ id, name }: Claim): EventWords {
  return {
    type: "Warning",
    reason: "DeleteLoadBalancerFailed",
    message: `Error deleting load balancer: ${id}, named ${name}, has no owner that lets us delete it and stays in the cloud. Delete it there if nothing uses it.`,
  };
}

/** As many names of nodes as a message has room for (spec/30 §5). */
const MOST_NAMES = 20;

export function memberUpdateFailed(nodes: readonly string[], error: unknown): EventWords {
  const sorted = [...nodes].sort((left, right) => (left < right ? -1 : 1));
  const more = sorted.length - MOST_NAMES;
  const names = [...sorted.slice(0, MOST_NAMES), ...(more > 0 ? [`<${more} more>`] : [])];
  const cause = error instanceof Error ? error.message : String(error);
  return {
    type: "Warning",
    reason: "UpdateLoadBalancerFailed",
    message: `Error updating load balancer with new hosts [${names.join(" ")}] [node names limited, total number of nodes: ${nodes.length}], error: ${cause}`,
  };
}

export function eventTarget({ kind, namespace, name, uid }: ObjectRef): EventTarget {
  return {
    apiVersion: "v1",
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
  };
}

import type { Node } from "../../kube/client.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Change } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import type { CloudRoute } from "../../provider/routes.ts";
import { providerIdOf, refOf } from "../objects/node-object.ts";
import { nameOf } from "../objects/object-meta.ts";
import type { StaleRoute } from "./observed.ts";

/** The writes of the route loop, each with the fields that it touches before and after. */
export type RouteChange = RouteCreate | RouteDelete | ConditionWrite;

export type RouteCreate = Change & {
  readonly kind: "route.create";
  readonly before: null;
  readonly after: { readonly destination: string; readonly nextHop: string };
};

export type RouteDelete = Change & {
  readonly kind: "route.delete";
  readonly before: { readonly id: string; readonly destination: string; readonly nextHop: string };
  readonly after: null;
};

export type ConditionWrite = Change & {
  readonly kind: "node.network-condition.write";
  readonly before: ConditionPart;
  readonly after: WantedCondition;
};

/** What this loop writes: upstream's two (spec/40 §2). */
export type WantedCondition =
  | { readonly status: "False"; readonly reason: "RouteCreated" }
  | { readonly status: "True"; readonly reason: "NoRouteCreated" };

/** The part of the condition NetworkUnavailable that is compared; null when there is none. */
export type ConditionPart = { readonly status: string; readonly reason: string } | null;

export function createRoute(node: Node, destination: string, reason: Reason): RouteCreate {
  return {
    kind: "route.create",
    system: "cloud",
    target: refOf(node),
    before: null,
    after: { destination, nextHop: machineOf(node) },
    reason,
  };
}

/** `target` is whose run sees to it. */
export function deleteRoute(target: ObjectRef, stale: StaleRoute): RouteDelete {
  const { route, destination, why } = stale;
  return {
    kind: "route.delete",
    system: "cloud",
    target,
    before: { id: route.id, destination, nextHop: nextHopOf(route) ?? "" },
    after: null,
    reason: { code: "RouteStale", destination, why },
  };
}

/** How a Node's machine is identified: by provider ID, else by name. */
export function machineOf(node: Node): string {
  return providerIdOf(node) ?? nameOf(node);
}

/** Undefined when it leads nowhere. */
export function nextHopOf({ target }: CloudRoute): string | undefined {
  return target.providerID ?? target.nodeName;
}

import type { CloudRoute } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Change } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
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

/** The conditions that this loop writes: upstream's two (spec/40 §2). */
export type WantedCondition =
  | { readonly status: "False"; readonly reason: "RouteCreated" }
  | { readonly status: "True"; readonly reason: "NoRouteCreated" };

/** The compared part of the condition NetworkUnavailable; null if there is none. */
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

/** `target` is the object whose run deletes the route. */
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

/** Returns the identity of a Node's machine: its provider ID, else its name. */
export function machineOf(node: Node): string {
  return providerIdOf(node) ?? nameOf(node);
}

/** Undefined if the route leads nowhere. */
export function nextHopOf({ target }: CloudRoute): string | undefined {
  return target.providerID ?? target.nodeName;
}

/**
 * The only condition that this loop writes; while it is True, the cluster keeps pods away from the node (spec/40 §2).
 */
export const NETWORK_UNAVAILABLE = "NetworkUnavailable";

export const ROUTE_CREATED: WantedCondition = { status: "False", reason: "RouteCreated" };
export const NO_ROUTE_CREATED: WantedCondition = { status: "True", reason: "NoRouteCreated" };

/** Upstream's messages. */
export const CONDITION_MESSAGES: Record<WantedCondition["reason"], string> = {
  RouteCreated: "RouteController created a route",
  NoRouteCreated: "RouteController failed to create a route",
};

export function conditionOf(node: Node): ConditionPart {
  const found = node.status?.conditions?.find(({ type }) => type === NETWORK_UNAVAILABLE);
  return found === undefined ? null : { status: found.status, reason: found.reason ?? "" };
}

/** Reports whether this loop, or upstream's, has written the condition. */
export function isOfRoutes(condition: ConditionPart): boolean {
  return condition !== null && Object.hasOwn(CONDITION_MESSAGES, condition.reason);
}

/** Undefined if status and reason are as they should be: message and times do not count (spec/40 §3.7). */
export function conditionWrite(node: Node, wanted: WantedCondition): ConditionWrite | undefined {
  const before = conditionOf(node);
  if (before?.status === wanted.status && before.reason === wanted.reason) return undefined;
  return {
    kind: "node.network-condition.write",
    system: "cluster",
    target: refOf(node),
    before,
    after: wanted,
    reason: {
      code: "NetworkConditionDiffers",
      has: before === null ? "not there" : wordsOf(before),
      wanted: wordsOf(wanted),
    },
  };
}

function wordsOf({ status, reason }: Exclude<ConditionPart, null>): string {
  return reason === "" ? status : `${status} (${reason})`;
}

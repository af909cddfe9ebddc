import type { Node } from "../../kube/client.ts";
import { refOf } from "../objects/node-object.ts";
import type { ConditionPart, ConditionWrite, WantedCondition } from "./changes.ts";

/** The one condition that this loop writes; while it is True, the cluster keeps pods away from the node (spec/40 §2). */
export const NETWORK_UNAVAILABLE = "NetworkUnavailable";

export const ROUTE_CREATED: WantedCondition = { status: "False", reason: "RouteCreated" };
export const NO_ROUTE_CREATED: WantedCondition = { status: "True", reason: "NoRouteCreated" };

/** Upstream's words. */
export const CONDITION_MESSAGES: Record<WantedCondition["reason"], string> = {
  RouteCreated: "RouteController created a route",
  NoRouteCreated: "RouteController failed to create a route",
};

export function conditionOf(node: Node): ConditionPart {
  const found = node.status?.conditions?.find(({ type }) => type === NETWORK_UNAVAILABLE);
  return found === undefined ? null : { status: found.status, reason: found.reason ?? "" };
}

/** Whether this loop, or upstream's, has written it. */
export function isOfRoutes(condition: ConditionPart): boolean {
  return condition !== null && Object.hasOwn(CONDITION_MESSAGES, condition.reason);
}

/** Undefined where status and reason are as they should be: message and times do not count (spec/40 §3.7). */
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

import type { Node } from "../../kube/client.ts";
import type { Hold, Reason, ReasonOf } from "../../model/reason.ts";
import { holdOf, holdPart } from "../hold/hold.ts";
import { refOf, taintsOf } from "../objects/node-object.ts";
import type { HoldWrite, OverrideEnd, OverrideWrite, Release } from "./changes.ts";
import { overrideOf, withoutUninitializedTaint, withUninitializedTaint } from "./override.ts";

export function holdWrite(node: Node, until: number, reason: ReasonOf<"PersonAsked">): HoldWrite {
  return {
    kind: "node.hold",
    system: "cluster",
    target: refOf(node),
    before: holdPart(holdOf(node)),
    after: { hold: { until } },
    reason,
  };
}

export function release(node: Node, hold: Hold, reason: Reason): Release {
  return {
    kind: "node.release",
    system: "cluster",
    target: refOf(node),
    before: holdPart(hold),
    after: { hold: null },
    reason,
  };
}

export function overrideWrite(
  node: Node,
  until: number,
  reason: ReasonOf<"PersonAsked">,
): OverrideWrite {
  return {
    kind: "node.override",
    system: "cluster",
    target: refOf(node),
    before: { taints: taintsOf(node) },
    after: { taints: withoutUninitializedTaint(taintsOf(node)), until },
    reason,
  };
}

/** Gives the taint back to a node whose taint was overridden before it was initialised. */
export function overrideEnd(node: Node, reason: Reason): OverrideEnd {
  return {
    kind: "node.override-end",
    system: "cluster",
    target: refOf(node),
    before: { taints: taintsOf(node), until: overrideOf(node)?.untilMs ?? null },
    after: { taints: withUninitializedTaint(taintsOf(node)) },
    reason,
  };
}

import type { Node } from "../../../kube/client.ts";
import type { Reason, ReasonOf } from "../../../model/reason.ts";
import { refOf, taintsOf } from "../../objects/node-object.ts";
import type { OverrideEnd, OverrideWrite } from "../changes.ts";
import { overrideOf, withoutUninitializedTaint, withUninitializedTaint } from "./override.ts";

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

/** Returns the change that puts the taint back on a node whose taint was overridden before it was initialised. */
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

import type { Node } from "../../kube/client.ts";
import type { NotTaken, Plan } from "../../model/plan.ts";
import type { Reason, ReasonOf } from "../../model/reason.ts";
import type { Asked } from "../../model/wish.ts";
import { type Hold, holdOf, holdPart } from "../hold/hold.ts";
import { refOf, taintsOf } from "../objects/node-object.ts";
import type { HoldWrite, NodeChange, OverrideEnd, OverrideWrite, Release } from "./changes.ts";
import { overrideOf, withoutUninitializedTaint, withUninitializedTaint } from "./override.ts";

export function personAsked({ by, why, intentId }: Asked): ReasonOf<"PersonAsked"> {
  return { code: "PersonAsked", by, why, intentId };
}

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

/** Gives the taint back to a node that was freed unfinished. */
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

/** What the loop would do by itself, and why it does not do what was wished for. */
export function refusing(
  plan: Plan<NodeChange>,
  step: NotTaken["step"],
  reason: ReasonOf<"NothingToDo"> | ReasonOf<"WishRefused">,
): Plan<NodeChange> {
  return { ...plan, notTaken: [...plan.notTaken, { step, reason }] };
}

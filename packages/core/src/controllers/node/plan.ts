import type { Plan } from "../../model/plan.ts";
import type { ReasonOf } from "../../model/reason.ts";
import { holdOf } from "../hold/hold.ts";
import { holdWrite, release } from "../hold/hold-changes.ts";
import { planRequested } from "../hold/plan-held.ts";
import { refOf } from "../objects/node-object.ts";
import { overriddenBy } from "./actions/override.ts";
import { overrideEnd } from "./actions/override-changes.ts";
import { planOverride } from "./actions/plan-override.ts";
import type { NodeChange } from "./changes.ts";
import type { NodeObserved } from "./observed.ts";
import { planUnrequested } from "./plan-unrequested.ts";

/** Plans what a node needs, or what a user requests for it. */
export function planNode(observed: NodeObserved, nowMs: number): Plan<NodeChange> {
  const { requested, node } = observed;
  if (requested?.action.kind === "override") {
    return planOverride(observed, { ...requested, action: requested.action }, nowMs);
  }
  const unasked = planUnrequested(observed, nowMs);
  return planRequested(
    requested,
    {
      ...{ object: node, name: "the node", unasked },
      hold: (until, reason) => holds(observed, until, reason),
      release: (hold, reason) => release("node.release", { target: refOf(node), hold, reason }),
    },
    nowMs,
  );
}

/** A node whose taint was overridden gets the taint back first. */
function holds(
  { node }: NodeObserved,
  until: number,
  reason: ReasonOf<"PersonAsked">,
): readonly NodeChange[] {
  const before = overriddenBy(node) === undefined ? [] : [overrideEnd(node, reason)];
  return [
    ...before,
    holdWrite("node.hold", { target: refOf(node), hold: holdOf(node), until, reason }),
  ];
}

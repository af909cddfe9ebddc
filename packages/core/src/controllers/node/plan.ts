import type { Plan } from "../../model/plan.ts";
import type { ReasonOf } from "../../model/reason.ts";
import { planAsked } from "../hold/plan-held.ts";
import type { NodeChange } from "./changes.ts";
import type { NodeObserved } from "./observed.ts";
import { freedBy } from "./override.ts";
import { planOverride } from "./plan-override.ts";
import { planUnasked } from "./plan-unasked.ts";
import { holdWrite, overrideEnd, release } from "./wish-changes.ts";

/** What a node needs, or what a user asks for it. */
export function planNode(observed: NodeObserved, nowMs: number): Plan<NodeChange> {
  const { asked, node } = observed;
  if (asked?.wish.kind === "override") {
    return planOverride(observed, { ...asked, wish: asked.wish }, nowMs);
  }
  const unasked = planUnasked(observed, nowMs);
  return planAsked(
    asked,
    {
      ...{ object: node, name: "the node", unasked },
      hold: (until, reason) => holds(observed, until, reason),
      release: (hold, reason) => release(node, hold, reason),
    },
    nowMs,
  );
}

/** One whose taint was overridden gets it back first. */
function holds(
  { node }: NodeObserved,
  until: number,
  reason: ReasonOf<"PersonAsked">,
): readonly NodeChange[] {
  const before = freedBy(node) === undefined ? [] : [overrideEnd(node, reason)];
  return [...before, holdWrite(node, until, reason)];
}

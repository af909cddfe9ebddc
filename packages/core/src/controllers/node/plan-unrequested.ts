import type { Plan } from "../../model/plan.ts";
import { activeHoldOf, holdOf } from "../hold/hold.ts";
import { release } from "../hold/hold-changes.ts";
import { planExpiry, planHeld } from "../hold/plan-held.ts";
import { refOf } from "../objects/node-object.ts";
import { overriddenBy } from "./actions/override.ts";
import { planOverridden } from "./actions/plan-overridden.ts";
import type { NodeChange } from "./changes.ts";
import { awaitsInitialisation } from "./identity.ts";
import type { NodeObserved } from "./observed.ts";
import { planInitialisation } from "./plan-initialisation.ts";
import { planUpkeep } from "./plan-upkeep.ts";

/**
 * Plans what a node needs without a user's action: nothing while it is held; initialisation while it carries the
 * uninitialized taint, or lost the taint before that was done, whoever removed it; and upkeep of its facts afterwards.
 */
export function planUnrequested(observed: NodeObserved, nowMs: number): Plan<NodeChange> {
  const { node } = observed;
  const active = activeHoldOf(node, nowMs);
  if (active !== undefined) return planHeld(node, active, nowMs);
  const past = holdOf(node);
  if (past !== undefined) {
    return planExpiry(past, (reason) =>
      release("node.release", { target: refOf(node), hold: past, reason }),
    );
  }
  const override = overriddenBy(node);
  if (override !== undefined) return planOverridden(observed, override, nowMs);
  return awaitsInitialisation(observed)
    ? planInitialisation(observed, nowMs)
    : planUpkeep(observed);
}

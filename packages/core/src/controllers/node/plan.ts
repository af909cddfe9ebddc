import type { Plan } from "../../model/plan.ts";
import { holdOf, isUninitialised } from "../node-object.ts";
import type { NodeChange } from "./changes.ts";
import type { NodeObserved } from "./observed.ts";
import { planInitialisation } from "./plan-initialisation.ts";
import { planUpkeep } from "./plan-upkeep.ts";

/** What a node needs: initialisation while it carries the uninitialized taint, upkeep of its facts afterwards. */
export function planNode(observed: NodeObserved, nowMs: number): Plan<NodeChange> {
  const hold = holdOf(observed.node);
  if (hold !== undefined) {
    return { changes: [], notTaken: [], next: { kind: "settled", reason: hold } };
  }
  return isUninitialised(observed.node)
    ? planInitialisation(observed, nowMs)
    : planUpkeep(observed);
}

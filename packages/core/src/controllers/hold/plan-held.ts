import type { KubeObject } from "../../kube/client.ts";
import type { Next, Plan } from "../../model/plan.ts";
import { type Hold, problemOfHold } from "./hold.ts";

/** Nothing is written to a held object, by any loop; one whose hold has an end comes back then. */
export function planHeld(object: KubeObject, hold: Hold, nowMs: number): Plan<never> {
  const problem = problemOfHold(object);
  return {
    changes: [],
    notTaken: problem === undefined ? [] : [{ step: "end of the hold", reason: problem }],
    next: nextOfHold(hold, nowMs),
  };
}

export function nextOfHold(hold: Hold, nowMs: number): Next {
  if (hold.untilMs === undefined) return { kind: "settled", reason: hold };
  return { kind: "waiting", reason: hold, forMs: Math.max(0, hold.untilMs - nowMs) };
}

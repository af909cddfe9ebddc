import type { Action } from "../../model/actions/action.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import { phrased } from "../../model/reasons/phrases.ts";

/** Returns the plan of a refused action. */
export function refused(action: Pick<Action, "kind">, reason: Reason): Plan {
  return {
    changes: [],
    notTaken: [{ step: action.kind, reason }],
    next: { kind: "settled", reason },
  };
}

export function notHere({ name }: Pick<ObjectRef, "name">): Reason {
  return { code: "WishRefused", ...phrased("problem", "notRunningHere", name) };
}

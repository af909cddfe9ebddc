import type { Action } from "../../model/actions/action.ts";
import type { Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";

/** Returns why a plan does not carry out the requested action; such a plan lists the action among the steps not taken. */
export function refusalOf(plan: Plan, action: Action): Reason | undefined {
  return plan.notTaken.find(({ step }) => step === action.kind)?.reason;
}

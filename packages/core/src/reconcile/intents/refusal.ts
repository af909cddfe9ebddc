import type { Action } from "../../model/actions/action.ts";
import type { Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";

/** Why a plan does not carry out the requested action: such a plan names the action among the steps that it does not take. */
export function refusalOf(plan: Plan, action: Action): Reason | undefined {
  return plan.notTaken.find(({ step }) => step === action.kind)?.reason;
}

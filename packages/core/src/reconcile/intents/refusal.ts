import type { Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import type { Wish } from "../../model/wish.ts";

/** Why a plan does not do what was wished for: it then names the wish among the steps that it does not take. */
export function refusalOf(plan: Plan, wish: Wish): Reason | undefined {
  return plan.notTaken.find(({ step }) => step === wish.kind)?.reason;
}

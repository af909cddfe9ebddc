import { type Action, isControlAction, namedLoops } from "../../model/actions/action.ts";
import type { Intent } from "../../model/actions/intent.ts";
import { KEPT_RESULTS } from "../../model/actions/intent-result.ts";
import type { IntentReport } from "../ports.ts";
import { carryOutControlAction } from "./carry-out-control-action.ts";
import { carryOutObjectAction } from "./carry-out-object-action.ts";
import { carryOutRetry } from "./carry-out-retry.ts";
import { failedBy, rejected } from "./intent-reports.ts";
import type { IntentWork } from "./intent-work.ts";

/** Carries an intent out. Undefined when this leader's term ended first, so that the next leader takes over. */
export async function carryOut(work: IntentWork): Promise<IntentReport | undefined> {
  const { intent, clock, signal } = work;
  const refusal = whyNot(intent, clock.now());
  if (refusal !== undefined) return rejected(refusal);
  try {
    return await carryOutAction(work, intent.action);
  } catch (error) {
    if (signal.aborted) return undefined;
    return failedBy(error);
  }
}

function carryOutAction(work: IntentWork, action: Action): Promise<IntentReport | undefined> {
  if (isControlAction(action)) return carryOutControlAction(work, action);
  const loops = namedLoops(action);
  return loops === undefined ? carryOutObjectAction(work, action) : carryOutRetry(work, loops);
}

/** The user's role was checked for this kind, so no other action may be carried out under its name. */
function whyNot({ kind, action }: Intent, now: number): string | undefined {
  if (kind !== "preview" && kind !== action.kind) {
    return `The request is for ${kind}, but its action is ${action.kind}; try again.`;
  }
  if ("until" in action && action.until <= now) {
    return KEPT_RESULTS.endPassed();
  }
  return undefined;
}

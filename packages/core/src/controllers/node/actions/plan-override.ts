import {
  type ActionOf,
  type RequestedAction,
  requestedByUser,
} from "../../../model/actions/action.ts";
import type { Plan } from "../../../model/plan.ts";
import type { ReasonOf } from "../../../model/reason.ts";
import { phrased } from "../../../model/reasons/phrases.ts";
import { activeHoldOf } from "../../hold/hold.ts";
import { refusing } from "../../hold/plan-held.ts";
import type { NodeChange } from "../changes.ts";
import type { NodeObserved } from "../observed.ts";
import { planInitialisation } from "../plan-initialisation.ts";
import { planUnrequested } from "../plan-unrequested.ts";
import { isUnfinished, overriddenBy } from "./override.ts";
import { overrideWrite } from "./override-changes.ts";
import { finishes, nextOfOverridden, unfinishedSteps } from "./plan-overridden.ts";

/**
 * Overrides the taint of an uninitialised node, and says what remains undone. A second override moves the end of the
 * first.
 */
export function planOverride(
  observed: NodeObserved,
  requested: RequestedAction<ActionOf<"override">>,
  nowMs: number,
): Plan<NodeChange> {
  const refusal = refusalOf(observed, requested, nowMs);
  if (refusal !== undefined) return refusing(planUnrequested(observed, nowMs), "override", refusal);
  const { by, why, intentId, action } = requested;
  const obstacle = planInitialisation(observed, nowMs).next.reason;
  return {
    changes: [overrideWrite(observed.node, action.until, requestedByUser(requested))],
    notTaken: unfinishedSteps(observed, obstacle),
    next: nextOfOverridden({ by, why, intentId, untilMs: action.until }, nowMs),
  };
}

function refusalOf(
  observed: NodeObserved,
  { intentId }: RequestedAction,
  nowMs: number,
): ReasonOf<"NothingToDo"> | ReasonOf<"WishRefused"> | undefined {
  const { node } = observed;
  if (activeHoldOf(node, nowMs) !== undefined) {
    return { code: "WishRefused", ...phrased("problem", "heldTaintStays") };
  }
  if (!isUnfinished(node)) return { code: "NothingToDo", ...phrased("what", "notUninitialized") };
  if (overriddenBy(node)?.intentId === intentId)
    return { code: "NothingToDo", ...phrased("what", "overriddenAsRequested") };
  return finishes(planInitialisation(observed, nowMs))
    ? { code: "WishRefused", ...phrased("problem", "initialisedAsUsual") }
    : undefined;
}

import { type ActionOf, type RequestedAction, requestedByUser } from "../../model/action.ts";
import type { Plan } from "../../model/plan.ts";
import type { ReasonOf } from "../../model/reason.ts";
import { activeHoldOf } from "../hold/hold.ts";
import { refusing } from "../hold/plan-held.ts";
import { overrideWrite } from "./action-changes.ts";
import type { NodeChange } from "./changes.ts";
import type { NodeObserved } from "./observed.ts";
import { isUnfinished, overriddenBy } from "./override.ts";
import { planInitialisation } from "./plan-initialisation.ts";
import { finishes, nextOfOverridden, unfinishedSteps } from "./plan-overridden.ts";
import { planUnrequested } from "./plan-unrequested.ts";

/** Overrides the taint of a node that is not initialised, and says what stays undone. Another override moves its end. */
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
    return refused("the taint of a held node cannot be overridden; release the node first");
  }
  if (!isUnfinished(node)) return nothingToDo("the node does not carry the uninitialized taint");
  if (overriddenBy(node)?.intentId === intentId)
    return nothingToDo("the taint is already overridden as requested");
  return finishes(planInitialisation(observed, nowMs))
    ? refused(
        "the cloud knows the node now, so it is initialised as usual and its taint need not be overridden",
      )
    : undefined;
}

function refused(problem: string): ReasonOf<"WishRefused"> {
  return { code: "WishRefused", problem };
}

function nothingToDo(what: string): ReasonOf<"NothingToDo"> {
  return { code: "NothingToDo", what };
}

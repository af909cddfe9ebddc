import type { Plan } from "../../model/plan.ts";
import type { ReasonOf } from "../../model/reason.ts";
import { type Asked, personAsked, type WishOf } from "../../model/wish.ts";
import { activeHoldOf } from "../hold/hold.ts";
import { refusing } from "../hold/plan-held.ts";
import type { NodeChange } from "./changes.ts";
import type { NodeObserved } from "./observed.ts";
import { freedBy, isUnfinished } from "./override.ts";
import { finishes, nextOfFreed, unfinishedSteps } from "./plan-freed.ts";
import { planInitialisation } from "./plan-initialisation.ts";
import { planUnasked } from "./plan-unasked.ts";
import { overrideWrite } from "./wish-changes.ts";

/** Frees a node that is not initialised, and says what stays undone. Once more of a freed node moves its end. */
export function planOverride(
  observed: NodeObserved,
  asked: Asked<WishOf<"override">>,
  nowMs: number,
): Plan<NodeChange> {
  const refusal = refusalOf(observed, asked, nowMs);
  if (refusal !== undefined) return refusing(planUnasked(observed, nowMs), "override", refusal);
  const { by, why, intentId, wish } = asked;
  const obstacle = planInitialisation(observed, nowMs).next.reason;
  return {
    changes: [overrideWrite(observed.node, wish.until, personAsked(asked))],
    notTaken: unfinishedSteps(observed, obstacle),
    next: nextOfFreed({ by, why, intentId, untilMs: wish.until }, nowMs),
  };
}

function refusalOf(
  observed: NodeObserved,
  { intentId }: Asked,
  nowMs: number,
): ReasonOf<"NothingToDo"> | ReasonOf<"WishRefused"> | undefined {
  const { node } = observed;
  if (activeHoldOf(node, nowMs) !== undefined) {
    return refused("a held node is not freed; release it first");
  }
  if (!isUnfinished(node)) return nothingToDo("the node does not carry the uninitialized taint");
  if (freedBy(node)?.intentId === intentId) return nothingToDo("the node is free as wished");
  return finishes(planInitialisation(observed, nowMs))
    ? refused("the cloud knows the node now, so it is initialised as usual and need not be freed")
    : undefined;
}

function refused(problem: string): ReasonOf<"WishRefused"> {
  return { code: "WishRefused", problem };
}

function nothingToDo(what: string): ReasonOf<"NothingToDo"> {
  return { code: "NothingToDo", what };
}

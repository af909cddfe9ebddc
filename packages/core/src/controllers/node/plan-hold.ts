import type { Plan } from "../../model/plan.ts";
import type { Asked, WishOf } from "../../model/wish.ts";
import { holdFor, holdOf, isSameHold } from "../hold/hold.ts";
import { nextOfHold } from "../hold/plan-held.ts";
import type { NodeChange } from "./changes.ts";
import type { NodeObserved } from "./observed.ts";
import { freedBy } from "./override.ts";
import { planUnasked } from "./plan-unasked.ts";
import { holdWrite, overrideEnd, personAsked, refusing } from "./wish-changes.ts";

/** Holds a node until then, or puts another hold in an earlier one's place. One that was freed gets its taint back first. */
export function planHold(
  observed: NodeObserved,
  asked: Asked<WishOf<"hold">>,
  nowMs: number,
): Plan<NodeChange> {
  const { node } = observed;
  const wanted = holdFor(asked);
  if (isSameHold(holdOf(node), wanted)) {
    const reason = { code: "NothingToDo", what: "the node is held as wished" } as const;
    return refusing(planUnasked(observed, nowMs), "hold", reason);
  }
  const reason = personAsked(asked);
  const freed = freedBy(node) === undefined ? [] : [overrideEnd(node, reason)];
  return {
    changes: [...freed, holdWrite(node, asked.wish.until, reason)],
    notTaken: [],
    next: nextOfHold(wanted, nowMs),
  };
}

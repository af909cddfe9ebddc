import type { Plan } from "../../model/plan.ts";
import type { Asked } from "../../model/wish.ts";
import { holdOf } from "../hold/hold.ts";
import type { NodeChange } from "./changes.ts";
import type { NodeObserved } from "./observed.ts";
import { planUnasked } from "./plan-unasked.ts";
import { personAsked, refusing, release } from "./wish-changes.ts";

/** Ends a hold, whoever set it; the node comes back at once for what it needs now. */
export function planRelease(observed: NodeObserved, asked: Asked, nowMs: number): Plan<NodeChange> {
  const hold = holdOf(observed.node);
  if (hold === undefined) {
    const reason = { code: "NothingToDo", what: "the node is not held" } as const;
    return refusing(planUnasked(observed, nowMs), "release", reason);
  }
  const reason = personAsked(asked);
  return {
    changes: [release(observed.node, hold, reason)],
    notTaken: [],
    next: { kind: "waiting", reason, forMs: 0 },
  };
}

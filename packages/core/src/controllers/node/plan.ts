import type { Plan } from "../../model/plan.ts";
import type { Asked, ObjectWish } from "../../model/wish.ts";
import type { NodeChange } from "./changes.ts";
import type { NodeObserved } from "./observed.ts";
import { planHold } from "./plan-hold.ts";
import { planOverride } from "./plan-override.ts";
import { planRelease } from "./plan-release.ts";
import { planUnasked } from "./plan-unasked.ts";

/** What a node needs, or what a person wishes for it. A retry asks for nothing but that it is done now. */
export function planNode(observed: NodeObserved, nowMs: number): Plan<NodeChange> {
  const { asked } = observed;
  switch (asked?.wish.kind) {
    case "hold":
      return planHold(observed, { ...asked, wish: asked.wish }, nowMs);
    case "release":
      return planRelease(observed, asked, nowMs);
    case "override":
      return planOverride(observed, { ...asked, wish: asked.wish }, nowMs);
    case "retry":
    case undefined:
      return planUnasked(observed, nowMs);
    case "reensure":
    case "adopt":
    case "remove-orphan":
      return planOfAnotherKind(asked, planUnasked(observed, nowMs));
  }
}

/** Whoever asks a node for what only a Service has gets no write in their name. */
function planOfAnotherKind(asked: Asked<ObjectWish>, { next }: Plan<NodeChange>): Plan<NodeChange> {
  const { kind } = asked.wish;
  const reason = { code: "WishRefused", problem: `a ${kind} is not for nodes` } as const;
  return { changes: [], notTaken: [{ step: kind, reason }], next };
}

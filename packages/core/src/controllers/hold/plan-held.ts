import type { KubeObject } from "../../kube/client.ts";
import {
  type ObjectAction,
  type RequestedAction,
  requestedByUser,
} from "../../model/actions/action.ts";
import type { Change, Next, Plan } from "../../model/plan.ts";
import type { Hold, Reason, ReasonOf } from "../../model/reason.ts";
import { heldAsRequested, notFor, notHeld } from "./held-reasons.ts";
import { holdFor, holdOf, isSameHold, problemOfHold } from "./hold.ts";

/** What differs between the kinds of objects that can be held. */
export interface Holdable<Typed extends Change> {
  readonly object: KubeObject;
  /** For example `the node`. */
  readonly name: string;
  /** What the controller would do by itself. */
  readonly unasked: Plan<Typed>;
  hold(until: number, reason: ReasonOf<"PersonAsked">): readonly Typed[];
  release(hold: Hold, reason: Reason): Typed;
}

/**
 * Plans an action that works the same way for everything that can be held: a hold, a release, or a retry, which only asks
 * for the object to be reconciled now. Any other action is refused, and nothing is written in the user's name.
 */
export function planRequested<Typed extends Change>(
  requested: RequestedAction<ObjectAction> | undefined,
  held: Holdable<Typed>,
  nowMs: number,
): Plan<Typed> {
  if (requested === undefined) return held.unasked;
  const { action } = requested;
  switch (action.kind) {
    case "retry":
      return held.unasked;
    case "hold":
      return planHold({ ...requested, until: action.until }, held, nowMs);
    case "release":
      return planRelease(requested, held);
    default: {
      const { kind } = action;
      return refusing({ ...held.unasked, changes: [] }, kind, notFor(held.name, kind));
    }
  }
}

/** Holds the object until the given time, replacing an earlier hold. */
function planHold<Typed extends Change>(
  requested: RequestedAction & { readonly until: number },
  { object, name, unasked, hold }: Holdable<Typed>,
  nowMs: number,
): Plan<Typed> {
  const { until } = requested;
  const wanted = holdFor({ ...requested, action: { kind: "hold", until } });
  if (isSameHold(holdOf(object), wanted)) {
    return refusing(unasked, "hold", heldAsRequested(name));
  }
  return {
    changes: hold(until, requestedByUser(requested)),
    notTaken: [],
    next: nextOfHold(wanted, nowMs),
  };
}

/** Ends a hold, whoever set it; the object comes back at once for what it needs now. */
function planRelease<Typed extends Change>(
  requested: RequestedAction,
  { object, name, unasked, release }: Holdable<Typed>,
): Plan<Typed> {
  const hold = holdOf(object);
  if (hold === undefined) {
    return refusing(unasked, "release", notHeld(name));
  }
  const reason = requestedByUser(requested);
  return {
    changes: [release(hold, reason)],
    notTaken: [],
    next: { kind: "waiting", reason, forMs: 0 },
  };
}

/** Ends an expired hold; the same run then does what the object needs now. */
export function planExpiry<Typed extends Change>(
  { by, untilMs = 0 }: Hold,
  release: (reason: Reason) => Typed,
): Plan<Typed> {
  const reason: Reason = { code: "HoldExpired", ...(by === undefined ? {} : { by }), untilMs };
  const next: Next = { kind: "settled", reason };
  return { changes: [release(reason)], notTaken: [], next, again: true };
}

/** Plans what the controller would do by itself, and says why it does not do what was requested. */
export function refusing<Typed extends Change>(
  plan: Plan<Typed>,
  step: ObjectAction["kind"],
  reason: ReasonOf<"NothingToDo"> | ReasonOf<"WishRefused">,
): Plan<Typed> {
  return { ...plan, notTaken: [...plan.notTaken, { step, reason }] };
}

/** Plans nothing for a held object, in any controller; if the hold has an end, the object comes back then. */
export function planHeld(object: KubeObject, hold: Hold, nowMs: number): Plan<never> {
  const problem = problemOfHold(object);
  return {
    changes: [],
    notTaken: problem === undefined ? [] : [{ step: "end of the hold", reason: problem }],
    next: nextOfHold(hold, nowMs),
  };
}

function nextOfHold(hold: Hold, nowMs: number): Next {
  if (hold.untilMs === undefined) return { kind: "settled", reason: hold };
  return { kind: "waiting", reason: hold, forMs: Math.max(0, hold.untilMs - nowMs) };
}

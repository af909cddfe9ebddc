import { requestedByUser } from "../../model/actions/action.ts";
import type { NotTaken, Plan } from "../../model/plan.ts";
import type { Hold, Reason } from "../../model/reason.ts";
import { phrased } from "../../model/reasons/phrases.ts";
import { activeHoldOf } from "../hold/hold.ts";
import { planHeld } from "../hold/plan-held.ts";
import { deleteRoute, type RouteChange, type RouteDelete } from "./changes.ts";
import { CONFIRM_AFTER_MS, confirmation, isUnconfirmed } from "./deletion-brake.ts";
import { routeRef } from "./keys.ts";
import type {
  DepartedObserved,
  LooseObserved,
  NodeObserved,
  Observed,
  RouteAdoption,
  TableObserved,
  Unconfirmed,
} from "./observed.ts";
import { planNodeUnheld } from "./plan-node.ts";

/**
 * Plans what the routes of a Node need, or what happens to an unwanted route. A retry only asks for that to be done now.
 */
export function planRoutes(observed: Observed, nowMs: number): Plan<RouteChange> {
  switch (observed.kind) {
    case "node":
      return planNode(observed, nowMs);
    case "departed":
      return planDeparted(observed);
    case "loose":
      return planLoose(observed);
    case "table":
      return planTable(observed);
  }
}

function planNode(observed: NodeObserved, nowMs: number): Plan<RouteChange> {
  const hold = activeHoldOf(observed.node, nowMs);
  const plan = planNodeUnheld(observed);
  if (hold !== undefined) return heldInstead(observed, { hold, plan }, nowMs);
  const { adoption } = observed;
  return adoption === undefined ? plan : planAdoption(plan, adoption);
}

/** Consent allows us to remove just the named route, or to replace it by the Node's own. */
function planAdoption(
  plan: Plan<RouteChange>,
  { requested, isFound, isCarriedOut }: RouteAdoption,
): Plan<RouteChange> {
  if (isCarriedOut) return plan;
  const { action } = requested;
  if (!isFound) {
    const problem = phrased("problem", "notThisRoute", action.route ?? "what was named");
    const reason: Reason = { code: "WishRefused", ...problem };
    return { ...plan, notTaken: [...plan.notTaken, { step: "adopt", reason }] };
  }
  const reason = requestedByUser(requested);
  return {
    ...plan,
    changes: plan.changes.map((change) =>
      change.kind === "route.delete" && change.before.id === action.route
        ? { ...change, reason }
        : change,
    ),
  };
}

/** Writes nothing for a held Node, neither its condition nor a route; what would be done is reported. */
function heldInstead(
  { node }: NodeObserved,
  { hold, plan }: { readonly hold: Hold; readonly plan: Plan<RouteChange> },
  nowMs: number,
): Plan<RouteChange> {
  const held = planHeld(node, hold, nowMs);
  const left = plan.changes.map(({ kind, reason }): NotTaken => ({ step: kind, reason }));
  return { ...held, notTaken: [...held.notTaken, ...left, ...plan.notTaken] };
}

function planDeparted(observed: DepartedObserved): Plan<RouteChange> {
  const { object, stale } = observed;
  const actions = stale.map((one) => deleteRoute(object, one));
  return deletionsOf(actions, observed.unconfirmed);
}

function planLoose({ stale, unconfirmed }: LooseObserved): Plan<RouteChange> {
  return deletionsOf([deleteRoute(routeRef(stale.route.id), stale)], unconfirmed);
}

/** The next observation of the same run shows whether the routes are gone. */
function deletionsOf(
  actions: readonly RouteDelete[],
  unconfirmed: Unconfirmed | undefined,
): Plan<RouteChange> {
  const changes = actions.filter(({ before }) => !isUnconfirmed(unconfirmed, before.id));
  if (unconfirmed === undefined || changes.length === actions.length) {
    const reason: Reason = changes[0]?.reason ?? { code: "ObjectGone" };
    return { changes, notTaken: [], next: { kind: "settled", reason }, again: true };
  }
  const reason = confirmation(unconfirmed);
  return {
    changes,
    notTaken: [{ step: "route.delete", reason }],
    next: { kind: "waiting", reason, forMs: CONFIRM_AFTER_MS },
  };
}

/** A table is only observed. */
function planTable({ detail }: TableObserved): Plan<RouteChange> {
  const { used, capacity, foreignCount } = detail;
  const reason: Reason = {
    code: "RouteTableSeen",
    used,
    ...(capacity === undefined ? {} : { capacity }),
    foreign: foreignCount,
  };
  return { changes: [], notTaken: [], next: { kind: "settled", reason } };
}

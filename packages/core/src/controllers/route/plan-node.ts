import type { Next, NotTaken, Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import { providerIdOf, refOf } from "../objects/node-object.ts";
import {
  conditionOf,
  conditionWrite,
  createRoute,
  deleteRoute,
  isOfRoutes,
  NO_ROUTE_CREATED,
  ROUTE_CREATED,
  type RouteChange,
  type WantedCondition,
} from "./changes.ts";
import { CONFIRM_AFTER_MS, confirmation, isUnconfirmed } from "./deletion-brake.ts";
import type { ClaimedRoute, NodeObserved, RangeObserved, StaleRoute } from "./observed.ts";

/** The plan for one range, or for one stale route. */
interface Part {
  readonly changes: readonly RouteChange[];
  readonly notTaken: readonly NotTaken[];
  /** Why it is still not as it should be after the changes; undefined if it is. */
  readonly next: Unsettled | undefined;
}

type Unsettled = Exclude<Next, { readonly kind: "settled" }>;

interface RangePart extends Part {
  /** Whether the range then has its route; undefined while it only waits for time to pass. */
  readonly isServed: boolean | undefined;
}

/** How long to wait for a Node without addresses, in case no event reports them. */
const ADDRESSES_AFTER_MS = 60_000;
/** How long to wait for a machine that the cloud does not list: it may be listed late. */
const MACHINE_AFTER_MS = 30_000;

/**
 * Plans for a Node that is not held: first unwanted routes are deleted, then each range gets its route, after whatever is in
 * its place is deleted, and finally the condition reports whether all exist (spec/40 §3, RW-3). A machine of another cloud
 * gets neither route nor condition: its connection is not our business.
 */
export function planNodeUnheld(observed: NodeObserved): Plan<RouteChange> {
  const { strangeness } = observed;
  const stale = observed.stale.map((one) => planStale(observed, one));
  const ranges = observed.ranges.map((one) =>
    strangeness === undefined
      ? planRange(observed, one)
      : planRangeOfOthers(observed, one, strangeness),
  );
  const condition = strangeness === undefined ? planCondition(observed, ranges) : done([]);
  const claims = observed.claims.map((one) => planClaim(observed, one));
  const parts = [...stale, ...ranges, ...claims, condition];
  return {
    changes: parts.flatMap(({ changes }) => changes),
    notTaken: parts.flatMap(({ notTaken }) => notTaken),
    next: nextOf(observed, parts),
  };
}

function planRange(observed: NodeObserved, range: RangeObserved): RangePart {
  const { cidr, refused, right, wrong, foreign } = range;
  if (refused !== undefined) return judged(blocked("route.create", refused));
  const removal = join(wrong.map((one) => planStale(observed, one)));
  if (right !== undefined) return { ...removal, isServed: true };
  if (foreign !== undefined) {
    const reason = inTheWay(observed, { cidr, ...foreign });
    return judged(join([removal, blocked("route.create", reason)]));
  }
  if (removal.next !== undefined) return judged(removal);
  return judged(join([removal, planCreation(observed, cidr)]));
}

type InTheWay = NonNullable<RangeObserved["foreign"]> & Pick<RangeObserved, "cidr">;

function inTheWay({ provider }: NodeObserved, { cidr, route, owner, claim }: InTheWay): Reason {
  const { id } = route;
  if (claim === undefined) return { code: "RouteForeign", provider, cidr, id, owner };
  return { code: "RouteUnowned", provider, cidr, id, proofs: [...claim.proofs] };
}

/** A route that may be the Node's without proof or consent is neither kept nor removed before there is consent. */
function planClaim({ provider }: NodeObserved, claim: ClaimedRoute): Part {
  const { route, destination: cidr, proofs } = claim;
  const reason: Reason = {
    code: "RouteUnowned",
    ...{ provider, cidr, id: route.id, proofs: [...proofs] },
  };
  return blocked("route.delete", reason);
}

function planRangeOfOthers(
  observed: NodeObserved,
  { wrong }: RangeObserved,
  reason: Reason,
): RangePart {
  const removal = join(wrong.map((one) => planStale(observed, one)));
  const notTaken = [...removal.notTaken, { step: "route.create", reason }];
  return { ...removal, notTaken, isServed: undefined };
}

/** While a part only waits for time to pass, nothing is reported yet: a Node without addresses is not in use either. */
function judged(part: Part): RangePart {
  const { next } = part;
  return { ...part, isServed: next?.kind === "waiting" ? undefined : next === undefined };
}

function planCreation(observed: NodeObserved, cidr: string): Part {
  const { node, provider, failures, withoutMachine } = observed;
  const failure = failures.get(cidr);
  if (failure !== undefined) return failed("route.create", failure);
  if (withoutMachine !== undefined) {
    const providerID = providerIdOf(node) ?? "";
    const reason: Reason = { code: "RouteWithoutMachine", provider, providerID, ...withoutMachine };
    return {
      changes: [],
      notTaken: [{ step: "route.create", reason }],
      next: { kind: "waiting", reason, forMs: MACHINE_AFTER_MS },
    };
  }
  if ((node.status?.addresses ?? []).length === 0) {
    const reason: Reason = { code: "NodeAddressesMissing" };
    return {
      changes: [],
      notTaken: [{ step: "route.create", reason }],
      next: { kind: "waiting", reason, forMs: ADDRESSES_AFTER_MS },
    };
  }
  return done([createRoute(node, cidr, { code: "RouteMissing", cidr })]);
}

function planStale(observed: NodeObserved, stale: StaleRoute): Part {
  const { unconfirmed, failures, node } = observed;
  const { id } = stale.route;
  if (!stale.isResponsible) {
    const ranges = [...observed.policy.ranges];
    return blocked("route.delete", { code: "PodCIDROutside", cidr: stale.destination, ranges });
  }
  const failure = failures.get(id);
  if (failure !== undefined) return failed("route.delete", failure);
  if (unconfirmed !== undefined && isUnconfirmed(unconfirmed, id)) {
    const reason = confirmation(unconfirmed);
    return {
      changes: [],
      notTaken: [{ step: "route.delete", reason }],
      next: { kind: "waiting", reason, forMs: CONFIRM_AFTER_MS },
    };
  }
  return done([deleteRoute(refOf(node), stale)]);
}

/**
 * Upstream's rule: False if every range has its route, True otherwise. A Node without ranges and condition is left
 * alone.
 */
function planCondition(observed: NodeObserved, ranges: readonly RangePart[]): Part {
  const { node, policy, stale } = observed;
  const wanted = wantedCondition(ranges, stale.length > 0);
  const write = wanted === undefined ? undefined : conditionWrite(node, wanted);
  if (write === undefined) return done([]);
  const before = conditionOf(node);
  if (policy.condition === "own" && before !== null && !isOfRoutes(before)) {
    return { ...done([]), notTaken: [{ step: write.kind, reason: write.reason }] };
  }
  return done([write]);
}

function wantedCondition(
  ranges: readonly RangePart[],
  hasStale: boolean,
): WantedCondition | undefined {
  if (ranges.length === 0) return hasStale ? NO_ROUTE_CREATED : undefined;
  if (ranges.some(({ isServed }) => isServed === false)) return NO_ROUTE_CREATED;
  return ranges.every(({ isServed }) => isServed === true) ? ROUTE_CREATED : undefined;
}

const WORST_FIRST = ["failed", "blocked", "waiting"] as const;

function nextOf({ ranges, strangeness }: NodeObserved, parts: readonly Part[]): Next {
  const left = parts.flatMap(({ next }) => (next === undefined ? [] : [next]));
  const worst = WORST_FIRST.flatMap((kind) => left.filter((next) => next.kind === kind))[0];
  if (worst !== undefined) return worst;
  if (strangeness !== undefined && ranges.length > 0) {
    const kind = strangeness.code === "ForeignNode" ? "settled" : "blocked";
    return { kind, reason: strangeness };
  }
  const reason: Reason =
    ranges.length === 0
      ? { code: "PodCIDRsMissing" }
      : { code: "RouteInStep", routes: ranges.length };
  return { kind: "settled", reason };
}

function done(changes: readonly RouteChange[]): Part {
  return { changes, notTaken: [], next: undefined };
}

function blocked(step: RouteChange["kind"], reason: Reason): Part {
  return { changes: [], notTaken: [{ step, reason }], next: { kind: "blocked", reason } };
}

function failed(step: RouteChange["kind"], reason: Reason): Part {
  return { changes: [], notTaken: [{ step, reason }], next: { kind: "failed", reason } };
}

function join(parts: readonly Part[]): Part {
  return {
    changes: parts.flatMap(({ changes }) => changes),
    notTaken: parts.flatMap(({ notTaken }) => notTaken),
    next: parts.find(({ next }) => next !== undefined)?.next,
  };
}

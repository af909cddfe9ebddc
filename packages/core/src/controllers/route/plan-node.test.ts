import { expect, test } from "vitest";
import type { Reason } from "../../model/reason.ts";
import { type NodeShape, node } from "../testing/node-fixture.ts";
import type { NodeObserved, RangeObserved, StaleRoute } from "./observed.ts";
import { planNodeUnheld } from "./plan-node.ts";
import { cloudRoute, type RouteShape } from "./testing/scripted-routes.ts";

const RANGE: RangeObserved = {
  cidr: "10.0.1.0/24",
  family: "IPv4",
  refused: undefined,
  right: undefined,
  wrong: [],
  foreign: undefined,
};
const RIGHT = cloudRoute({ destination: "10.0.1.0/24", to: "p://n1" });
const SIX: RangeObserved = { ...RANGE, cidr: "fd00::/64", family: "IPv6" };
const DOWN: Reason = { code: "Unexplained", message: "down" };
const FOREIGN: Reason = { code: "ForeignNode", providerID: "other://n1", provider: "p" };
const MALFORMED: Reason = { code: "ProviderIDMalformed", providerID: "n1", expected: "p://<id>" };
const DUPLICATE: Reason = { code: "PodCIDRDuplicate", cidr: "10.0.1.0/24", other: "n0" };

function stale(shape: Partial<RouteShape> & Partial<StaleRoute> = {}): StaleRoute {
  const destination = shape.destination ?? "10.0.1.0/24";
  return {
    route: cloudRoute({ id: "r-old", destination, to: "p://else" }),
    destination,
    why: shape.why ?? "otherTarget",
    isResponsible: shape.isResponsible ?? true,
  };
}

interface Shape extends Partial<Omit<NodeObserved, "node" | "policy">> {
  readonly has?: NodeShape;
  readonly condition?: readonly [status: string, reason: string];
  readonly mode?: "overwrite" | "own";
}

function observe({ has, condition, mode = "overwrite", ...rest }: Shape): NodeObserved {
  const one = node({ name: "n1", providerID: "p://n1", ...has });
  const [status = "", reason = ""] = condition ?? [];
  const conditions =
    condition === undefined ? [] : [{ type: "NetworkUnavailable", status, reason }];
  return {
    kind: "node",
    key: "n1",
    node: { ...one, status: { ...one.status, conditions } },
    provider: "p",
    policy: { condition: mode, ranges: ["10.0.0.0/16"], adopt: "published" },
    strangeness: undefined,
    ranges: [],
    stale: [],
    claims: [],
    adoption: undefined,
    unconfirmed: undefined,
    withoutMachine: undefined,
    failures: new Map(),
    asOf: 0,
    ...rest,
  };
}

/** Returns `create 10.0.1.0/24`, `delete r-old`, `False/RouteCreated`, then what comes next. */
function planned(shape: Shape): readonly string[] {
  const { changes, next } = planNodeUnheld(observe(shape));
  const words = changes.map((change) => {
    if (change.kind === "route.create") return `create ${change.after.destination}`;
    if (change.kind === "route.delete") return `delete ${change.before.id}`;
    return `${change.after.status}/${change.after.reason}`;
  });
  return [...words, `${next.kind} ${next.reason.code}`];
}

test.each<[string, Shape, readonly string[]]>([
  ["a node without ranges is left alone", {}, ["settled PodCIDRsMissing"]],
  [
    "what leads to a node without ranges goes, and its condition says so",
    { stale: [stale()] },
    ["delete r-old", "True/NoRouteCreated", "settled PodCIDRsMissing"],
  ],
  [
    "a missing route is created before the condition reports it",
    { ranges: [RANGE] },
    ["create 10.0.1.0/24", "False/RouteCreated", "settled RouteInStep"],
  ],
  [
    "what is right causes no write",
    { ranges: [{ ...RANGE, right: RIGHT }], condition: ["False", "RouteCreated"] },
    ["settled RouteInStep"],
  ],
  [
    "what stands in its place goes first",
    { ranges: [{ ...RANGE, wrong: [stale()] }] },
    ["delete r-old", "create 10.0.1.0/24", "False/RouteCreated", "settled RouteInStep"],
  ],
  [
    "a second route to a range that is served goes, too",
    {
      ranges: [{ ...RANGE, right: RIGHT, wrong: [stale()] }],
      condition: ["False", "RouteCreated"],
    },
    ["delete r-old", "settled RouteInStep"],
  ],
  [
    "what nobody asks for goes first",
    { ranges: [RANGE], stale: [stale({ destination: "10.0.9.0/24" })] },
    ["delete r-old", "create 10.0.1.0/24", "False/RouteCreated", "settled RouteInStep"],
  ],
  [
    "a creation that failed in this run is reported, and the other family's route is created",
    { ranges: [RANGE, SIX], failures: new Map([["10.0.1.0/24", DOWN]]) },
    ["create fd00::/64", "True/NoRouteCreated", "failed Unexplained"],
  ],
  [
    "a deletion that has failed keeps its range from being served",
    { ranges: [{ ...RANGE, wrong: [stale()] }], failures: new Map([["r-old", DOWN]]) },
    ["True/NoRouteCreated", "failed Unexplained"],
  ],
  [
    "a deletion of something else that has failed does not",
    {
      ranges: [{ ...RANGE, right: RIGHT }],
      stale: [stale({ destination: "10.0.9.0/24" })],
      failures: new Map([["r-old", DOWN]]),
    },
    ["False/RouteCreated", "failed Unexplained"],
  ],
  [
    "a range of an older node is not served",
    { ranges: [{ ...RANGE, refused: DUPLICATE }] },
    ["True/NoRouteCreated", "blocked PodCIDRDuplicate"],
  ],
  [
    "somebody else's route is not touched",
    { ranges: [{ ...RANGE, foreign: { route: RIGHT, owner: "the cluster other" } }] },
    ["True/NoRouteCreated", "blocked RouteForeign"],
  ],
  [
    "a route of ours outside the ranges stays in the way",
    { ranges: [{ ...RANGE, wrong: [stale({ isResponsible: false })] }] },
    ["True/NoRouteCreated", "blocked PodCIDROutside"],
  ],
  [
    "a node without addresses waits, and its condition stays as it is",
    { ranges: [RANGE], has: { addresses: [] } },
    ["waiting NodeAddressesMissing"],
  ],
  [
    "another cloud's machine gets no route and no condition",
    { ranges: [RANGE], strangeness: FOREIGN },
    ["settled ForeignNode"],
  ],
  [
    "what stands in its range of ours goes all the same",
    { ranges: [{ ...RANGE, wrong: [stale()] }], stale: [stale()], strangeness: FOREIGN },
    ["delete r-old", "delete r-old", "settled ForeignNode"],
  ],
  [
    "one whose provider ID cannot be read gets neither, and its condition says so",
    { ranges: [RANGE], strangeness: MALFORMED },
    ["blocked ProviderIDMalformed"],
  ],
  [
    "without a range there is nothing to report",
    { strangeness: MALFORMED },
    ["settled PodCIDRsMissing"],
  ],
  [
    "what one listing alone shows as stale waits, and so does what would take its place",
    { ranges: [{ ...RANGE, wrong: [stale()] }], unconfirmed: unconfirmed("r-old") },
    ["waiting RouteDeletionsUnconfirmed"],
  ],
  [
    "a condition of somebody else is written over",
    { ranges: [{ ...RANGE, right: RIGHT }], condition: ["False", "CalicoIsUp"] },
    ["False/RouteCreated", "settled RouteInStep"],
  ],
  [
    "or left alone",
    { ranges: [{ ...RANGE, right: RIGHT }], condition: ["False", "CalicoIsUp"], mode: "own" },
    ["settled RouteInStep"],
  ],
  [
    "our own is written in either case",
    { ranges: [{ ...RANGE, right: RIGHT }], condition: ["True", "NoRouteCreated"], mode: "own" },
    ["False/RouteCreated", "settled RouteInStep"],
  ],
])("%s", (_what, shape, words) => {
  expect(planned(shape)).toEqual(words);
});

function unconfirmed(id: string): NonNullable<NodeObserved["unconfirmed"]> {
  const ids = new Set([id]);
  return { ids, of: 20, listing: { asOf: 0, ids, ours: 20 } };
}

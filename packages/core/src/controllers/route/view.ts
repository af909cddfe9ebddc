import type { CloudRoute } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { Plan } from "../../model/plan.ts";
import { holdIn } from "../../model/reason.ts";
import type {
  NodeRoutesDetail,
  RouteCell,
  StaleRouteDetail,
} from "../../model/records/route-record.ts";
import type { Drift } from "../../model/state.ts";
import type { Projection, RunResult } from "../../reconcile/reconciler.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import { machineOf, NETWORK_UNAVAILABLE, nextHopOf, type RouteChange } from "./changes.ts";
import type { Made, MadeRoute } from "./memory.ts";
import type { NodeObserved, Observed, RangeObserved, StaleRoute } from "./observed.ts";
import { planNodeUnheld } from "./plan-node.ts";

export interface RouteRun {
  readonly observed: Observed;
  readonly plan: Plan<RouteChange>;
  readonly result: Pick<RunResult, "applied">;
  /** The Node after the run's writes. */
  readonly node: Node | undefined;
}

/** Returns what the pages show of a key after its run. */
export function viewOfRoutes(made: Made, run: RouteRun): Projection {
  const { observed, plan, result } = run;
  const drift = isLeft(plan, result) ? "drifted" : "inStep";
  switch (observed.kind) {
    case "node":
      return viewOfNode(made, run, observed);
    case "departed": {
      const { name, uid } = observed.object;
      return { name, uid: uid ?? "", drift };
    }
    case "loose": {
      const { id } = observed.stale.route;
      return { name: id, uid: id, drift, detail: staleDetail(observed.stale) };
    }
    case "table":
      return { name: observed.id, uid: observed.id, drift, detail: observed.detail };
  }
}

function viewOfNode(made: Made, run: RouteRun, observed: NodeObserved): Projection {
  const node = run.node ?? observed.node;
  const detail: NodeRoutesDetail = {
    kind: "routes",
    cells: [
      ...observed.ranges
        .filter(({ right }) => right !== undefined || observed.strangeness === undefined)
        .map((range) => cellOf(made, run, { observed, range })),
      ...leftOver(run, observed).map((stale) => staleCell(stale, node)),
    ],
    ...conditionShown(node),
    asOf: observed.asOf,
  };
  return { name: nameOf(node), uid: uidOf(node), drift: driftOf(run, observed), detail };
}

/** For a held Node, what would be done if it were not held. */
function driftOf({ plan, result }: RouteRun, observed: NodeObserved): Drift {
  const isHeld = holdIn(plan.next.reason) !== undefined;
  if (isHeld) return planNodeUnheld(observed).changes.some(isOfRoute) ? "drifted" : "inStep";
  return isLeft(plan, result) || plan.next.kind === "failed" ? "drifted" : "inStep";
}

function isLeft({ changes }: Plan<RouteChange>, { applied }: RouteRun["result"]): boolean {
  return changes.slice(applied).some(isOfRoute);
}

function isOfRoute({ kind }: RouteChange): boolean {
  return kind !== "node.network-condition.write";
}

interface CellParts {
  readonly observed: NodeObserved;
  readonly range: RangeObserved;
}

function cellOf(allMade: Made, run: RouteRun, { observed, range }: CellParts): RouteCell {
  const { node } = observed;
  const { cidr, family } = range;
  const made = allMade.get(cidr);
  const { verdict, route, owner } = verdictOf(run, range, made);
  const evidence = evidenceOf(run.plan, { cidr, verdict });
  return {
    cidr,
    family,
    verdict,
    ...(route === undefined ? {} : { route: routeShown(route, owner) }),
    wantedNextHop: machineOf(node),
    ...(range.ownership === undefined ? {} : { ownership: range.ownership }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(made === undefined ? {} : { changedAt: made.at, runId: made.runId }),
  };
}

interface Verdict {
  readonly verdict: RouteCell["verdict"];
  readonly route?: CloudRoute;
  readonly owner?: string;
}

function verdictOf(run: RouteRun, range: RangeObserved, made: MadeRoute | undefined): Verdict {
  const { cidr, right, wrong, foreign } = range;
  if (right !== undefined) return { verdict: "keep", route: right };
  if (foreign !== undefined) {
    return { verdict: "foreign", route: foreign.route, owner: foreign.owner };
  }
  const creation = run.plan.changes.findIndex(
    ({ kind, after }) => kind === "route.create" && after.destination === cidr,
  );
  if (creation !== -1 && creation < run.result.applied && made !== undefined) {
    return { verdict: "keep", route: made.route };
  }
  const [first] = wrong;
  const route = first === undefined ? {} : { route: first.route };
  if (first?.why === "blackhole") return { verdict: "blackhole", ...route };
  if (creation === -1) return { verdict: "missing", ...route };
  return { verdict: first === undefined ? "add" : "update", ...route };
}

/** Returns why a range has no route of ours: the reason for which its own step was not taken. */
function evidenceOf(
  { notTaken }: Plan<RouteChange>,
  { cidr, verdict }: { readonly cidr: string; readonly verdict: RouteCell["verdict"] },
): string | undefined {
  if (verdict === "keep") return undefined;
  for (const { reason } of notTaken) {
    if ("cidr" in reason && reason.cidr === cidr) return evidenceIn(reason);
    if (verdict === "missing" && "message" in reason) return reason.message;
  }
  return undefined;
}

function evidenceIn(reason: object): string | undefined {
  const known = ["owner", "other", "message", "problem"] as const;
  const fields = new Map(Object.entries(reason));
  const found = known.map((name) => fields.get(name)).find((value) => typeof value === "string");
  return typeof found === "string" ? found : undefined;
}

/** Returns the unwanted routes that still exist. */
function leftOver({ plan, result }: RouteRun, { stale }: NodeObserved): readonly StaleRoute[] {
  const gone = new Set(
    plan.changes
      .slice(0, result.applied)
      .flatMap(({ kind, before }) => (kind === "route.delete" ? [before.id] : [])),
  );
  return stale.filter(({ route }) => !gone.has(route.id));
}

function staleCell({ route, destination, why }: StaleRoute, node: Node): RouteCell {
  return {
    cidr: destination,
    family: destination.includes(":") ? "IPv6" : "IPv4",
    verdict: why === "blackhole" ? "blackhole" : "remove",
    route: routeShown(route, undefined),
    wantedNextHop: machineOf(node),
  };
}

function routeShown(route: CloudRoute, owner: string | undefined): NonNullable<RouteCell["route"]> {
  const { id, table, name, destination } = route;
  const nextHop = nextHopOf(route);
  return {
    id,
    table,
    name,
    destination,
    ...(nextHop === undefined ? {} : { nextHop }),
    ...(owner === undefined ? {} : { owner }),
  };
}

function staleDetail({ route }: StaleRoute): StaleRouteDetail {
  const { id: _id, name: _name, ...shown } = routeShown(route, undefined);
  return { kind: "route", ...shown, blackhole: route.blackhole };
}

function conditionShown(node: Node): Pick<NodeRoutesDetail, "condition"> {
  const found = node.status?.conditions?.find(({ type }) => type === NETWORK_UNAVAILABLE);
  if (found === undefined) return {};
  const since = Date.parse(found.lastTransitionTime ?? "");
  return {
    condition: {
      status: found.status,
      reason: found.reason ?? "",
      ...(Number.isNaN(since) ? {} : { since }),
    },
  };
}

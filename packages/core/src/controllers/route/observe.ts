import type {
  InstanceDirectory,
  RouteDirectory,
  RouteListOptions,
  SeenRoutes,
} from "../../cloud/ports.ts";
import type { Node } from "../../kube/client.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { instanceRefOf, isUninitialised, providerIdOf, readyOf } from "../objects/node-object.ts";
import type { NodeSightings } from "../objects/node-sightings.ts";
import { uidOf } from "../objects/object-meta.ts";
import { conditionOf, isOfRoutes } from "./changes.ts";
import type { Judged } from "./claims/route-classifier.ts";
import { changesHold, subjectOf } from "./keys.ts";
import type { RouteLastSeen } from "./last-seen.ts";
import { failuresIn, type RouteContext, type RouteMemory, withMade } from "./memory.ts";
import {
  concerning,
  consentedTo,
  departedInObservation,
  nodeInObservation,
  type Observation,
  staleRoute,
} from "./observation.ts";
import type {
  LooseObserved,
  NodeObserved,
  Observed,
  RouteAdoption,
  RoutePolicy,
  TableObserved,
} from "./observed.ts";
import { tableDetail } from "./table-detail.ts";

export interface ObservePorts {
  readonly lastSeen: Pick<RouteLastSeen, "classifier" | "brake" | "view" | "blindSince">;
  /** The provider's name. */
  readonly provider: string;
  readonly policy: RoutePolicy;
  readonly sightings: Pick<NodeSightings, "firstSeen">;
  /** Whether the provider offers instances: then machines can be looked up. */
  readonly instances: InstanceDirectory | undefined;
  readonly routes: RouteDirectory;
  /** Returns all Nodes, for the figures of a table. */
  nodes(): readonly Node[];
}

/** How old the last listing of the routes may be (DESIGN.md "Freshness"). */
const FRESH_MS = 10_000;

/** Reads the key's object and its routes in the cloud. Undefined if neither the cluster nor the cloud has any of it. */
export async function observeRoutes(
  ports: ObservePorts,
  key: string,
  run: RouteContext,
): Promise<Observed | undefined> {
  const { blindSince } = ports.lastSeen;
  const observed = await observeAsOf(ports, {
    ...{ key, run, maxAgeMs: maxAgeMs(run) },
    ...(run.earlier === undefined ? { notBefore: blindSince } : {}),
  });
  const notBefore = observed?.kind === "node" ? inheritedSince(ports, observed, run) : undefined;
  if (notBefore === undefined) return observed;
  return observeAsOf(ports, { key, run, maxAgeMs: FRESH_MS, notBefore });
}

type AsOf = Pick<KeyObservation, "key" | "run"> & Pick<RouteListOptions, "maxAgeMs" | "notBefore">;

async function observeAsOf(
  ports: ObservePorts,
  { key, run, maxAgeMs, notBefore }: AsOf,
): Promise<Observed | undefined> {
  const seen = await run.cloud(ports.routes).list({ maxAgeMs, notBefore, priority: run.priority });
  return observeSubject(ports, { observe: observationOf(ports, seen, run.memory), key, run });
}

/**
 * Returns when the Node was first seen, if it has a route that was not created for it and that a listing from before that time
 * may have shown: its name may have been another machine's then (DESIGN.md "Freshness"). A new Node mostly has no route, and
 * one that was created for it carries its UID or is remembered: neither costs a listing.
 */
function inheritedSince(
  { sightings }: ObservePorts,
  { node, ranges }: NodeObserved,
  { memory, written, runId, monotonicMs }: RouteContext,
): number | undefined {
  const uid = uidOf(node);
  const made = withMade(memory.made, written, runId);
  const isInherited = ranges.some(
    ({ right, cidr }) =>
      right !== undefined &&
      right.owner?.objectUid !== uid &&
      made.get(cidr)?.route.id !== right.id,
  );
  if (!isInherited) return undefined;
  const firstSeen = sightings.firstSeen(uid);
  return monotonicMs - firstSeen < FRESH_MS ? firstSeen : undefined;
}

interface KeyObservation {
  readonly observe: Observation;
  readonly key: string;
  readonly run: RouteContext;
}

async function observeSubject(
  ports: ObservePorts,
  { observe, key, run }: KeyObservation,
): Promise<Observed | undefined> {
  const subject = subjectOf(key);
  switch (subject.kind) {
    case "node":
      return observeNode(ports, { observe, key, run });
    case "route":
      return observeLoose(observe, { key, id: subject.id });
    case "table":
      return observeTable(ports, observe, { key, id: subject.id });
  }
}

export function observationOf(
  { lastSeen, provider, policy }: Pick<ObservePorts, "lastSeen" | "provider" | "policy">,
  seen: SeenRoutes,
  memory?: Pick<RouteMemory, "doubts">,
): Observation {
  const { classifier, brake } = lastSeen;
  return {
    classifier,
    seen,
    unconfirmed: brake.unconfirmed(seen, memory?.doubts),
    provider,
    policy,
  };
}

/**
 * A user's request, including one by kubectl, needs the cloud's current state, and so does a run that has to observe a second
 * time; the results of the run's own writes are known. A wave of new Nodes shares a listing: whatever that missed shows in the
 * next period's listing, which compares all routes.
 */
function maxAgeMs(run: RouteContext): number {
  if (run.earlier !== undefined) return FRESH_MS;
  if (isByUser(run)) return 0;
  const { doubts } = run.memory;
  if (run.trigger.kind !== "retry" || doubts === undefined) return FRESH_MS;
  return Math.max(0, Math.min(FRESH_MS, run.nowMs - doubts.asOf - 1));
}

function isByUser({ trigger }: Pick<RouteContext, "trigger">): boolean {
  return trigger.kind === "intent" || changesHold(trigger);
}

async function observeNode(
  ports: ObservePorts,
  { observe, key, run }: KeyObservation,
): Promise<Observed | undefined> {
  const { view } = ports.lastSeen;
  const node = view.get(key);
  const judged = concerning(observe, { name: key, node });
  if (node === undefined)
    return departedInObservation(observe, { object: view.refOf(key), judged });
  const allowed = consentedTo(judged, ports.policy.consents?.get(key)).judged;
  const adoption = adoptionIn(allowed, run);
  const observed = nodeInObservation(observe, { node, ...adoption }, failuresIn(run.failed));
  const withoutMachine = await missingMachineOf(ports, observed, run);
  return { ...observed, withoutMachine };
}

/** Returns the routes of a Node, including one that a user may have assigned to it. */
function adoptionIn(
  judged: readonly Judged[],
  { requested, written }: RouteContext,
): { readonly judged: readonly Judged[]; readonly adoption?: RouteAdoption } {
  if (requested?.action.kind !== "adopt") return { judged };
  const { action } = requested;
  const consented = consentedTo(judged, action.route);
  const { isFound } = consented;
  const isCarriedOut = written.some(({ change }) => change.system === "cloud");
  return {
    judged: consented.judged,
    adoption: { requested: { ...requested, action }, isFound, isCarriedOut },
  };
}

function observeLoose(
  { classifier, seen, unconfirmed }: Observation,
  { key, id }: { readonly key: string; readonly id: string },
): LooseObserved | undefined {
  const route = seen.routes.find((one) => one.id === id);
  const judged = route === undefined ? undefined : classifier.judge(route);
  if (judged?.kind !== "stale" || judged.key !== key || !judged.isResponsible) return undefined;
  return { kind: "loose", key, stale: staleRoute(judged), unconfirmed };
}

function observeTable(
  { nodes }: ObservePorts,
  observe: Observation,
  { key, id }: { readonly key: string; readonly id: string },
): TableObserved | undefined {
  const table = observe.seen.tables.find((one) => one.id === id);
  if (table === undefined) return undefined;
  return { kind: "table", key, id, detail: tableDetail(observe, table, nodes()) };
}

/** How old the answer may be that the machine of a starting Node exists: the node controller has mostly just asked. */
const FRESH_MACHINE_MS = 10_000;

/**
 * Checks whether the machine of a Node without a route is gone from the cloud, where the route would only be refused. It
 * asks only about an initialised Node whose kubelet is silent, or whose condition shows that it had routes before: a
 * machine is gone long before its kubelet counts as silent. So neither healthy nor new Nodes cost a call, and simultaneous
 * lookups are shared. A failed lookup holds back no route.
 */
async function missingMachineOf(
  { instances }: ObservePorts,
  observed: NodeObserved,
  run: Pick<RunContext, "cloud" | "priority">,
): Promise<NodeObserved["withoutMachine"]> {
  if (instances === undefined || !isDoubtful(observed) || !lacksRoute(observed)) return undefined;
  const ref = instanceRefOf(observed.node);
  // An answer from before the route disappeared does not explain its disappearance.
  const maxAgeMs = hadRoutes(observed) ? 0 : FRESH_MACHINE_MS;
  const options = { maxAgeMs, mode: "batch", priority: run.priority } as const;
  const lookup = await run.cloud(instances).lookup(ref, options);
  switch (lookup.kind) {
    case "absent":
      return requestOf(lookup.proof);
    case "notListed":
      return requestOf(lookup);
    default:
      return undefined;
  }
}

function isDoubtful(observed: NodeObserved): boolean {
  const { node, strangeness } = observed;
  return (
    strangeness === undefined &&
    providerIdOf(node) !== undefined &&
    !isUninitialised(node) &&
    (readyOf(node).status !== "True" || hadRoutes(observed))
  );
}

function hadRoutes({ node }: NodeObserved): boolean {
  return isOfRoutes(conditionOf(node));
}

function lacksRoute({ ranges }: NodeObserved): boolean {
  return ranges.some(
    ({ refused, right, foreign }) =>
      refused === undefined && right === undefined && foreign === undefined,
  );
}

function requestOf({ requestId }: { readonly requestId?: string | undefined }) {
  return requestId === undefined ? {} : { requestId };
}

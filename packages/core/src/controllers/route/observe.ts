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
  /** Whether the provider offers instances: then a machine can be asked for. */
  readonly instances: InstanceDirectory | undefined;
  readonly routes: RouteDirectory;
  /** All Nodes, for what is reported of a table. */
  nodes(): readonly Node[];
}

/** How old what was seen of the routes may be (DESIGN.md "Freshness"). */
const FRESH_MS = 10_000;

/** What the key is about, and what the cloud has of it. Undefined when neither the cluster nor the cloud has anything of it. */
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
 * When the Node was first seen, where it has a route that was not made for it, and a listing from before that time may
 * be what shows it: its name may have been another machine's then (DESIGN.md "Freshness"). A new Node has mostly no route, and
 * one that was made for it is marked with its UID or remembered: neither costs a listing.
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
 * A user gets the cloud's word of now, also by kubectl, and so does a run that has to look a second time; what the run's own
 * writes have left is known. A wave of Nodes that come up shares a listing: what that missed is seen by the listing of the next
 * period, which compares all routes.
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

/** The routes of a Node, one of which a user may have given to it. */
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

/** How old the word that the machine is there may be for a Node that is just coming up: it has mostly just been asked for. */
const FRESH_MACHINE_MS = 10_000;

/**
 * Whether the cloud has no machine any more for a Node that lacks a route: the route would only be refused. Asked for an
 * initialised Node alone whose kubelet is silent, or whose routes were seen to before, as its condition shows: a machine is
 * gone long before its kubelet counts as silent. So neither a healthy Node nor a new one costs a call; those that are asked
 * for share it with all that are looked up at that time. An answer that is none holds back no route.
 */
async function missingMachineOf(
  { instances }: ObservePorts,
  observed: NodeObserved,
  run: Pick<RunContext, "cloud" | "priority">,
): Promise<NodeObserved["withoutMachine"]> {
  if (instances === undefined || !isDoubtful(observed) || !lacksRoute(observed)) return undefined;
  const ref = instanceRefOf(observed.node);
  // What was known of the machine before its route went says nothing of why it went.
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

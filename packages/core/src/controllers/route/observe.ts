import type { RouteListOptions, SeenRoutes } from "../../cloud/routes/route-port.ts";
import type { Node } from "../../kube/client.ts";
import type { Clock } from "../../model/time.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import type { NodeSightings } from "../objects/node-sightings.ts";
import { uidOf } from "../objects/object-meta.ts";
import type { NodeView } from "../objects/written-nodes.ts";
import type { DeletionBrake } from "./deletion-brake.ts";
import { changesHold, subjectOf } from "./keys.ts";
import {
  concerning,
  consentedTo,
  departedInLook,
  type Look,
  nodeInLook,
  staleRoute,
} from "./look.ts";
import { missingMachineOf } from "./missing-machine.ts";
import type {
  LooseObserved,
  NodeObserved,
  Observed,
  RouteAdoption,
  RoutePolicy,
  TableObserved,
} from "./observed.ts";
import type { RouteMemory } from "./route-memory.ts";
import type { RouteMetrics } from "./route-metrics.ts";
import type { Judged, RouteWorld } from "./route-world.ts";
import { tableDetail } from "./table-detail.ts";

export interface ObservePorts {
  readonly view: NodeView;
  readonly world: RouteWorld;
  readonly brake: DeletionBrake;
  readonly memory: RouteMemory;
  readonly clock: Clock;
  readonly metrics: RouteMetrics;
  /** The provider's name. */
  readonly provider: string;
  readonly policy: RoutePolicy;
  readonly sightings: Pick<NodeSightings, "firstSeen">;
  /** Whether the provider offers instances: then a machine can be asked for. */
  readonly hasInstances: boolean;
  /** All Nodes, for what is reported of a table. */
  nodes(): readonly Node[];
}

/** How old what was seen of the routes may be (DESIGN.md "Freshness"). */
export const FRESH_MS = 10_000;

/** What the key is about, and what the cloud has of it. Undefined when neither the cluster nor the cloud has anything of it. */
export async function observeRoutes(
  ports: ObservePorts,
  key: string,
  run: RunContext,
): Promise<Observed | undefined> {
  const observed = await observeAsOf(ports, { key, run, maxAgeMs: maxAgeMs(ports, key, run) });
  const notBefore = observed?.kind === "node" ? inheritedSince(ports, observed) : undefined;
  if (notBefore !== undefined) {
    return observeAsOf(ports, { key, run, maxAgeMs: FRESH_MS, notBefore });
  }
  if (observed === undefined) ports.memory.forget(key, ports.view.object(key).uid);
  return observed;
}

type AsOf = Pick<KeyLook, "key" | "run"> & Pick<RouteListOptions, "maxAgeMs" | "notBefore">;

async function observeAsOf(ports: ObservePorts, asked: AsOf): Promise<Observed | undefined> {
  const { key, run } = asked;
  const seen = await list(ports, asked);
  ports.memory.lookedAt(key, { asOf: seen.asOf, runId: run.runId, isOfNodes: isOfNodes(run) });
  return observeSubject(ports, { look: lookOf(ports, seen), key, run });
}

/**
 * When the Node was first seen, where it has a route that was not made for it, and a listing from before that time may
 * be what shows it: its name may have been another machine's then (DESIGN.md "Freshness"). A new Node has mostly no route, and
 * one that was made for it is marked with its UID or remembered: neither costs a listing.
 */
function inheritedSince(ports: ObservePorts, { node, ranges }: NodeObserved): number | undefined {
  const uid = uidOf(node);
  const isInherited = ranges.some(
    ({ right, cidr }) =>
      right !== undefined &&
      right.mark?.objectUid !== uid &&
      ports.memory.madeFor(uid, cidr)?.route.id !== right.id,
  );
  if (!isInherited) return undefined;
  const firstSeen = ports.sightings.firstSeen(uid);
  return ports.clock.monotonic() - firstSeen < FRESH_MS ? firstSeen : undefined;
}

interface KeyLook {
  readonly look: Look;
  readonly key: string;
  readonly run: RunContext;
}

async function observeSubject(
  ports: ObservePorts,
  { look, key, run }: KeyLook,
): Promise<Observed | undefined> {
  const subject = subjectOf(key);
  switch (subject.kind) {
    case "node":
      return observeNode(ports, { look, key, run });
    case "route":
      return observeLoose(look, { key, id: subject.id });
    case "table":
      return observeTable(ports, look, { key, id: subject.id });
  }
}

export function lookOf(
  { world, brake, provider, policy }: Pick<ObservePorts, "world" | "brake" | "provider" | "policy">,
  seen: SeenRoutes,
): Look {
  return { world, seen, unconfirmed: brake.heed(seen), provider, policy };
}

async function list(ports: ObservePorts, { run, maxAgeMs, notBefore }: AsOf): Promise<SeenRoutes> {
  const { memory } = ports;
  try {
    const { priority } = run;
    const seen = await run.routes.list({ maxAgeMs, notBefore, priority });
    memory.isBlind = false;
    return seen;
  } catch (error) {
    if (isOfNodes(run)) ports.metrics.countSync("error", "node_change");
    throw error;
  }
}

/**
 * A person gets the cloud's word of now, also by kubectl, and so does who was told to look a second time; what the run's own
 * writes have left is known. A wave of Nodes that come up shares a listing: what that missed is seen by the listing of the next
 * period, which compares all routes.
 */
function maxAgeMs({ memory, clock }: ObservePorts, key: string, run: RunContext): number {
  const last = memory.lastLook(key);
  if (last?.runId === run.runId) return FRESH_MS;
  if (isOfPerson(run) || memory.isBlind) return 0;
  const isSecondLook = run.trigger.kind === "retry" && memory.isDoubted(key);
  if (!isSecondLook || last === undefined) return FRESH_MS;
  return Math.max(0, Math.min(FRESH_MS, clock.now() - last.asOf - 1));
}

function isOfPerson({ trigger }: Pick<RunContext, "trigger">): boolean {
  return trigger.kind === "intent" || changesHold(trigger);
}

/** Whether a change of a Node has brought the run about (upstream's trigger `node_change`). */
function isOfNodes({ trigger }: Pick<RunContext, "trigger">): boolean {
  return trigger.kind === "change";
}

async function observeNode(
  ports: ObservePorts,
  { look, key, run }: KeyLook,
): Promise<Observed | undefined> {
  const node = ports.view.get(key);
  const judged = concerning(look, { name: key, node });
  if (node === undefined) return departedInLook(look, { object: ports.view.object(key), judged });
  const allowed = consentedTo(judged, ports.policy.consents?.get(key)).judged;
  const adoption = adoptionIn(allowed, run);
  const failures = ports.memory.failuresOf(key, run.runId);
  const observed = nodeInLook(look, { node, ...adoption }, failures);
  const withoutMachine = ports.hasInstances ? await missingMachineOf(observed, run) : undefined;
  return { ...observed, withoutMachine };
}

/** The routes of a Node, one of which a person may have given to it. */
function adoptionIn(
  judged: readonly Judged[],
  { asked, written }: RunContext,
): { readonly judged: readonly Judged[]; readonly adoption?: RouteAdoption } {
  if (asked?.wish.kind !== "adopt") return { judged };
  const { wish } = asked;
  const consented = consentedTo(judged, wish.route);
  const { isFound } = consented;
  const isCarriedOut = written.some(({ change }) => change.system === "cloud");
  return {
    judged: consented.judged,
    adoption: { asked: { ...asked, wish }, isFound, isCarriedOut },
  };
}

function observeLoose(
  { world, seen, unconfirmed }: Look,
  { key, id }: { readonly key: string; readonly id: string },
): LooseObserved | undefined {
  const route = seen.routes.find((one) => one.id === id);
  const judged = route === undefined ? undefined : world.judge(route);
  if (judged?.kind !== "stale" || judged.key !== key || !judged.isResponsible) return undefined;
  return { kind: "loose", key, stale: staleRoute(judged), unconfirmed };
}

function observeTable(
  { nodes }: ObservePorts,
  look: Look,
  { key, id }: { readonly key: string; readonly id: string },
): TableObserved | undefined {
  const table = look.seen.tables.find((one) => one.id === id);
  if (table === undefined) return undefined;
  return { kind: "table", key, id, detail: tableDetail(look, table, nodes()) };
}

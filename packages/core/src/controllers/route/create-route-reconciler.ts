import type { IpFamily } from "@cloudwright/provider-api";
import type { KubeClient, Node } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Plan } from "../../model/plan.ts";
import { eventMessage } from "../../model/sentence.ts";
import type { Clock } from "../../model/time.ts";
import type { RunOutcome } from "../../reconcile/loop-port.ts";
import type { ApplyResult, OldReconciler } from "../../reconcile/old-reconciler.ts";
import type { Projection, RunContext } from "../../reconcile/reconciler.ts";
import type { NodeSightings } from "../objects/node-sightings.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import { createNodeView } from "../objects/written-nodes.ts";
import { type ClusterIdentity, createRouteFor, removeRoute, writeCondition } from "./apply.ts";
import type { RouteChange, RouteCreate, RouteDelete } from "./changes.ts";
import { ClusterNodes } from "./cluster-nodes.ts";
import { DeletionBrake } from "./deletion-brake.ts";
import { keyOfObject, routeRef, subjectOf, tableRef } from "./keys.ts";
import { lessonOf } from "./lesson.ts";
import { type ObservePorts, observeRoutes } from "./observe.ts";
import type { Observed, RoutePolicy } from "./observed.ts";
import { planRoutes } from "./plan.ts";
import { ipRangesOf } from "./pod-ranges.ts";
import { projectRoutes } from "./project.ts";
import { RouteMemory } from "./route-memory.ts";
import type { RouteMetrics } from "./route-metrics.ts";
import { RouteWorld } from "./route-world.ts";

export interface RouteReconcilerOptions {
  readonly client: Pick<KubeClient, "patch">;
  readonly informer: Pick<Informer<Node>, "get" | "list" | "subscribe">;
  readonly sightings: Pick<NodeSightings, "firstSeen">;
  readonly metrics: RouteMetrics;
  readonly clock: Clock;
  readonly cluster: ClusterIdentity;
  /** The provider's name. */
  readonly provider: string;
  /** Whether the provider offers instances: then no route is tried to a machine that is gone. */
  readonly hasInstances: boolean;
  /** The families of which its routes can be. */
  readonly families: readonly IpFamily[];
  /** Whether its routes carry marks. */
  readonly marks: boolean;
  readonly policy: RoutePolicy;
}

/** What feeds the loop's queue shares with the reconciler. */
export interface RouteKnowledge extends Pick<ObservePorts, "world" | "brake" | "memory" | "view"> {
  /** How many routes were created or deleted so far. */
  readonly changed: () => number;
}

export interface RouteReconciler extends OldReconciler<Observed, RouteChange> {
  readonly knowledge: RouteKnowledge;
  /** Upstream's Event of a route that could not be created (spec/40 §2), without its duration (RW-11). */
  wordsOf(outcome: RunOutcome): { readonly reason: string; readonly message: string } | undefined;
  /** Ends what it listens to. */
  stop(): void;
}

/** Gives each pod range of each Node its route, takes away what nobody asks for, and tells by the condition (spec/40). */
export function createRouteReconciler(options: RouteReconcilerOptions): RouteReconciler {
  const { informer, cluster, policy, provider, families, metrics } = options;
  const nodes = new ClusterNodes(informer);
  const ranges = ipRangesOf(policy.ranges);
  const { clusterUid } = cluster;
  const world = new RouteWorld({
    ...{ nodes, informer, clusterUid, provider, families, ranges },
    marks: options.marks,
    adopt: policy.adopt,
  });
  const view = createNodeView(informer);
  const memory = new RouteMemory();
  const brake = new DeletionBrake(world);
  const unserved = new Map<string, string>();
  let changed = 0;
  const ports: Ports = {
    ...options,
    view,
    world,
    brake,
    memory,
    unserved,
    nodes: () => informer.list(),
    countChange: (action, outcome) => {
      if (outcome === "done") changed += 1;
      metrics.countChange(action, outcome);
    },
  };

  return {
    controller: "node-route-controller",
    knowledge: { world, brake, memory, view, changed: () => changed },
    stop: () => nodes.stop(),
    object: (key) => objectOf(ports, key),
    keyOf: keyOfObject,
    observe: (key, run) => observeRoutes(ports, key, run),
    plan: planRoutes,
    apply: (change, observed, run) => applyChange(ports, { change, observed }, run),
    project: (observed, plan, result) => conclude(ports, { observed, plan, result }),
    wordsOf: (outcome) => wordsOf(unserved, outcome),
  };
}

interface Ports extends RouteReconcilerOptions, ObservePorts {
  readonly countChange: RouteMetrics["countChange"];
  /** The range without a route that the last run of a Node has told of. */
  readonly unserved: Map<string, string>;
}

function objectOf({ view }: Ports, key: string): ObjectRef {
  const subject = subjectOf(key);
  switch (subject.kind) {
    case "node":
      return view.object(subject.name);
    case "route":
      return routeRef(subject.id);
    case "table":
      return tableRef(subject.id);
  }
}

interface Applied<Kind extends RouteChange = RouteChange> {
  readonly change: Kind;
  readonly observed: Observed;
}

async function applyChange(
  ports: Ports,
  { change, observed }: Applied,
  run: RunContext,
): Promise<void> {
  switch (change.kind) {
    case "route.create":
      return applyCreation(ports, { change, observed }, run);
    case "route.delete":
      return applyDeletion(ports, { change, observed }, run);
    case "node.network-condition.write": {
      if (observed.kind !== "node") return;
      const node = newest(ports, observed.node);
      const write = { change, node, clock: ports.clock };
      ports.view.wrote(await writeCondition(ports.client, write, run));
    }
  }
}

async function applyCreation(
  ports: Ports,
  { change, observed }: Applied<RouteCreate>,
  run: RunContext,
): Promise<void> {
  if (observed.kind !== "node") return;
  const { memory, cluster, clock, countChange } = ports;
  const { destination } = change.after;
  const { node, key } = observed;
  try {
    const route = await createRouteFor(cluster, { node, destination }, run);
    countChange("create", "done");
    memory.made(uidOf(node), destination, { route, at: clock.now(), runId: run.runId });
  } catch (error) {
    countChange("create", "failed");
    throw lessonOf({ memory, key, of: destination, cidr: destination }, error, run);
  }
}

async function applyDeletion(
  { memory, countChange }: Ports,
  { change, observed }: Applied<RouteDelete>,
  run: RunContext,
): Promise<void> {
  try {
    await removeRoute(change, observed, run);
    countChange("delete", "done");
  } catch (error) {
    countChange("delete", "failed");
    // Only a Node has more to be done for than that.
    if (observed.kind !== "node") throw error;
    throw lessonOf({ memory, key: observed.key, of: change.before.id }, error, run);
  }
}

function newest({ view }: Ports, node: Node): Node {
  const known = view.get(nameOf(node));
  return known !== undefined && uidOf(known) === uidOf(node) ? known : node;
}

interface Concluded {
  readonly observed: Observed;
  readonly plan: Plan<RouteChange>;
  readonly result: ApplyResult;
}

/** The end of a run: what it leaves undone, what is reported of it, and what the pages show. */
function conclude(ports: Ports, { observed, plan, result }: Concluded): Projection {
  const { memory, metrics } = ports;
  const { key } = observed;
  const isDone = result.applied === plan.changes.length;
  memory.ended(key, {
    isSettled: isDone && plan.next.kind === "settled",
    isDoubted: plan.next.reason.code === "RouteDeletionsUnconfirmed",
  });
  const look = memory.lastLook(key);
  if (look?.runId === result.runId && look.isOfNodes) {
    metrics.countSync(result.applied > 0 ? "changed" : "noop", "node_change");
  }
  noteUnserved(ports, { observed, plan, result });
  const node = observed.kind === "node" ? newest(ports, observed.node) : undefined;
  return projectRoutes(memory, { observed, plan, result, node });
}

/** Remembers which range has no route, so that an Event can name it. */
function noteUnserved({ unserved }: Ports, { observed, plan }: Concluded): void {
  const isUnserved = plan.notTaken.some(({ step }) => step === "route.create");
  const made = plan.changes.flatMap((one) =>
    one.kind === "route.create" ? [one.after.destination] : [],
  );
  const range =
    observed.kind === "node" && isUnserved
      ? observed.ranges.find(({ right, cidr }) => right === undefined && !made.includes(cidr))
      : undefined;
  if (range === undefined) unserved.delete(observed.key);
  else unserved.set(observed.key, range.cidr);
}

const FAILED: ReadonlySet<RunOutcome["outcome"]> = new Set(["failed", "timedOut", "blocked"]);

function wordsOf(
  unserved: ReadonlyMap<string, string>,
  { outcome, object, reason }: RunOutcome,
): ReturnType<RouteReconciler["wordsOf"]> {
  const cidr = unserved.get(object.name);
  if (!FAILED.has(outcome) || object.kind !== "Node" || cidr === undefined) return undefined;
  const route = `${object.uid ?? ""} ${cidr}`.trim();
  const message = `Could not create route ${route} for node ${object.name}: ${eventMessage(reason)}`;
  return { reason: "FailedToCreateRoute", message };
}

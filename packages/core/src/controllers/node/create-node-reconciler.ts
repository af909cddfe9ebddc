import type { Node } from "../../kube/client.ts";
import { KubeError } from "../../kube/errors.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { Clock } from "../../model/time.ts";
import type { OldReconciler } from "../../reconcile/old-reconciler.ts";
import { activeHoldOf } from "../hold/hold.ts";
import { type Events, recordNodeEvent } from "../objects/node-events.ts";
import { createdAtOf, nameOf, uidOf } from "../objects/object-meta.ts";
import { createNodeView, type NodeView } from "../objects/written-nodes.ts";
import { applyNodeChange, type NodeWriter } from "./apply.ts";
import type { Initialise, NodeChange } from "./changes.ts";
import { isDue } from "./look-up.ts";
import { NodeMemories } from "./node-memory.ts";
import { type ObservePorts, observeNode } from "./observe.ts";
import type { NodeObserved, NodePolicy } from "./observed.ts";
import { withoutUninitializedTaint } from "./override.ts";
import { planNode } from "./plan.ts";
import { projectNode } from "./project.ts";
import { advanceTimeline } from "./timeline.ts";
import { eventOfWish } from "./wish-events.ts";

/** The histograms of spec/10 §9, in seconds. */
export interface NodeMetrics {
  observeTaintRemovalDelay(seconds: number): void;
  observeInitialSyncDelay(seconds: number): void;
}

export interface NodeReconcilerOptions {
  readonly client: NodeWriter;
  /** Declared with `NODE_INDEXES`. */
  readonly informer: Pick<Informer<Node>, "get" | "byIndex">;
  readonly events: Events;
  readonly metrics: NodeMetrics;
  readonly clock: Clock;
  readonly policy: NodePolicy;
  /** The provider's name: the scheme of its provider IDs. */
  readonly provider: string;
  readonly sightings: ObservePorts["sightings"];
  readonly routesUnderWay?: ObservePorts["routesUnderWay"];
}

export interface NodeReconciler extends OldReconciler<NodeObserved, NodeChange> {
  /** Drops what is remembered of a node that is gone. */
  forget(uid: string): void;
}

/** Initialises nodes from the cloud's facts and keeps them in step (spec/10). */
export function createNodeReconciler(options: NodeReconcilerOptions): NodeReconciler {
  const { client, events, clock } = options;
  const view = createNodeView(options.informer);
  const memories = new NodeMemories();
  const ports = { ...options, view, memories };

  return {
    controller: "cloud-node-controller",
    object: view.object,
    isSettled: (key, trigger) => {
      const node = view.get(key);
      return node !== undefined && trigger.kind === "change" && isSettled(ports, node);
    },
    observe: async (key, run) => {
      const observed = await observeNode(ports, key, run);
      if (observed === undefined) memories.forget(view.object(key).uid ?? "");
      return observed;
    },
    plan: planNode,
    apply: async (change, observed, run) => {
      const node = newest(view, observed.node);
      requireUnheld(change, { node, planned: observed.node }, clock.now());
      memories.of(uidOf(node)).attemptedBy = run.runId;
      const written = await applyNodeChange(client, { change, node }, run);
      view.wrote(written);
      if (change.kind === "node.initialise") {
        memories.of(uidOf(written)).initialisedAt = clock.now();
        countInitialisation(options, written, change);
      }
      const event = change.kind === "node.initialise" ? SYNCED : eventOfWish(change);
      if (event !== undefined) recordNodeEvent(events, written, event);
    },
    project: (observed, plan, result) => {
      const memory = memories.of(uidOf(observed.node));
      const timeline = advanceTimeline(memory.timeline, {
        observed,
        plan,
        result,
        attempted: memory.attemptedBy === result.runId,
      });
      if (timeline !== undefined) memory.timeline = timeline;
      const node = newest(view, observed.node);
      const isDone = plan.next.kind === "settled" && result.applied === plan.changes.length;
      memory.settledAt = isDone ? node.metadata?.resourceVersion : undefined;
      return projectNode({ observed, plan, result, node, memory });
    },
    forget: (uid) => memories.forget(uid),
  };
}

/** A change may have swallowed the periodic look that waited for its turn: then it is no mere echo. */
function isSettled({ memories, clock, policy }: ObservePorts, node: Node): boolean {
  const { settledAt, lookedAt } = memories.of(uidOf(node));
  if (settledAt === undefined || settledAt !== node.metadata?.resourceVersion) return false;
  return !isDue(clock.now(), lookedAt, policy);
}

/** A node that was freed before had lost its taint then. */
function countInitialisation(
  { metrics, clock }: NodeReconcilerOptions,
  node: Node,
  { before }: Initialise,
): void {
  const delaySeconds = (clock.now() - createdAtOf(node)) / 1_000;
  const hadTaint = withoutUninitializedTaint(before.taints).length < before.taints.length;
  if (hadTaint) metrics.observeTaintRemovalDelay(delaySeconds);
  metrics.observeInitialSyncDelay(delaySeconds);
}

/** What was planned before somebody held the node is planned anew; who holds or releases it does that all the same. */
function requireUnheld(
  { kind }: NodeChange,
  { node, planned }: { readonly node: Node; readonly planned: Node },
  nowMs: number,
): void {
  if (kind === "node.hold" || kind === "node.release") return;
  if (activeHoldOf(node, nowMs) === undefined) return;
  if (activeHoldOf(planned, nowMs) !== undefined) return;
  throw new KubeError("Conflict", "the node was held meanwhile", {
    verb: "update",
    resource: "nodes",
    name: nameOf(node),
  });
}

const SYNCED = { type: "Normal", reason: "Synced", message: "Node synced successfully" } as const;

function newest(view: NodeView, node: Node): Node {
  const known = view.get(nameOf(node));
  return known !== undefined && uidOf(known) === uidOf(node) ? known : node;
}

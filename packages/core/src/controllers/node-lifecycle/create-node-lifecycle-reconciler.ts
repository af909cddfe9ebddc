import type { KubeClient, Node } from "../../kube/client.ts";
import { isKubeError, KubeError } from "../../kube/errors.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { Clock } from "../../model/time.ts";
import type { DeletionGuard } from "../../reconcile/deletion-guard.ts";
import type { OldReconciler } from "../../reconcile/old-reconciler.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { type Events, recordNodeEvent } from "../objects/node-events.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import { createNodeView } from "../objects/written-nodes.ts";
import { Absences } from "./absences.ts";
import { deleteNode, writeTaints } from "./apply.ts";
import type { CallCounter } from "./call-counts.ts";
import type { LifecycleChange, NodeDelete } from "./changes.ts";
import { LifecycleChecks } from "./checks.ts";
import { HeldDeletions } from "./held-deletions.ts";
import { type LifecyclePorts, observeLifecycle } from "./observe.ts";
import type { LifecycleObserved, LifecyclePolicy } from "./observed.ts";
import { planLifecycle } from "./plan.ts";
import { projectLifecycle } from "./project.ts";

/** Upstream's metrics of this loop (spec/20 §5). */
export interface LifecycleMetrics extends CallCounter {
  /** How long the looks of one period took, seconds. */
  observePass(seconds: number): void;
}

export interface NodeLifecycleReconcilerOptions {
  readonly client: Pick<KubeClient, "patch" | "delete">;
  /** Declared with `NODE_INDEXES`. */
  readonly informer: Pick<Informer<Node>, "get" | "byIndex">;
  readonly events: Events;
  readonly metrics: LifecycleMetrics;
  readonly clock: Clock;
  readonly policy: LifecyclePolicy;
  /** The provider's name: the scheme of its provider IDs. */
  readonly provider: string;
  readonly sightings: LifecyclePorts["sightings"];
  /** Undefined when it is off: then every deletion that is proven is done at once, as upstream does it. */
  readonly guard?: DeletionGuard | undefined;
}

export interface NodeLifecycleReconciler extends OldReconciler<LifecycleObserved, LifecycleChange> {
  /** Which of these silent nodes are due in the period that begins now. */
  beginPass(names: readonly string[]): readonly string[];
  /** Drops what is remembered of a node that is gone. */
  forget(name: string, uid: string): void;
}

/** Taints nodes whose instance is off and deletes those whose instance is proven gone (spec/20). */
export function createNodeLifecycleReconciler(
  options: NodeLifecycleReconcilerOptions,
): NodeLifecycleReconciler {
  const { client, metrics, clock } = options;
  const view = createNodeView(options.informer);
  const absences = new Absences();
  const checks = new LifecycleChecks(clock, (seconds) => metrics.observePass(seconds));
  const held = new HeldDeletions(options.guard);
  const ports = { ...options, view, absences, held };
  const announced = new Set<string>();

  return {
    controller: "cloud-node-lifecycle-controller",
    object: view.object,
    observe: async (key, run) => {
      try {
        const observed = await observeLifecycle(ports, key, run);
        return observed && foreseen(options.guard, observed, clock.now());
      } finally {
        checks.observed(key);
      }
    },
    plan: planLifecycle,
    apply: async (change, observed, run) => {
      if (change.kind === "node.delete") {
        await passGuard(options.guard, change);
        await deleteWithEvents({ options, change, node: observed.node, announced }, run);
        return;
      }
      view.wrote(await writeTaints(client, { change, node: observed.node }, run));
    },
    project: (observed, plan, result) => {
      checks.planned(nameOf(observed.node), plan, result.applied);
      held.concluded(observed, plan, result.applied);
      const known = view.get(nameOf(observed.node));
      const isSame = known !== undefined && uidOf(known) === uidOf(observed.node);
      return projectLifecycle({ observed, plan, result, node: isSame ? known : observed.node });
    },
    beginPass: (names) => checks.begin(names),
    forget: (name, uid) => {
      checks.forget(name);
      absences.forget(uid);
      held.forget(name, uid);
      announced.delete(uid);
    },
  };
}

/** In a dry run the guard's word on a deletion that would be planned; it is asked for here, as plans are pure. */
function foreseen(
  guard: DeletionGuard | undefined,
  observed: LifecycleObserved,
  nowMs: number,
): LifecycleObserved {
  if (guard?.foresee === undefined) return observed;
  const { changes } = planLifecycle(observed, nowMs);
  if (!changes.some(({ kind }) => kind === "node.delete")) return observed;
  const { node } = observed;
  return { ...observed, guard: guard.foresee({ name: nameOf(node), uid: uidOf(node) }) };
}

/** What was planned while the limit was not reached is planned anew when it is by now. */
async function passGuard(guard: DeletionGuard | undefined, change: NodeDelete): Promise<void> {
  const { name } = change.target;
  if (guard === undefined || (await guard.take({ name, uid: change.before.uid }))) return;
  throw new KubeError("Conflict", "the deletion guard has reached its limit meanwhile", {
    verb: "delete",
    resource: "nodes",
    name,
  });
}

interface Deletion {
  readonly options: NodeLifecycleReconcilerOptions;
  readonly change: NodeDelete;
  readonly node: Node;
  /** UIDs of the nodes whose deletion was reported: one that keeps failing is reported once. */
  readonly announced: Set<string>;
}

/** A node that is gone by now is what was wanted; one that is another one by now is looked at again. */
async function deleteWithEvents(deletion: Deletion, run: RunContext): Promise<void> {
  const { options, change, node } = deletion;
  try {
    await deleteNode(options.client, { change, node }, run);
  } catch (error) {
    if (isKubeError(error) && error.code === "NotFound") return;
    if (isKubeError(error) && error.code === "Conflict") throw error;
    announce(deletion);
    recordNodeEvent(options.events, node, {
      type: "Warning",
      reason: "DeletingNodeFailed",
      message: `Failed deleting node ${nameOf(node)}: ${error instanceof Error ? error.message : String(error)}`,
    });
    throw error;
  }
  announce(deletion);
}

function announce({ options, change, node, announced }: Deletion): void {
  if (announced.has(change.before.uid)) return;
  announced.add(change.before.uid);
  const message = `Deleting node ${nameOf(node)} because it does not exist in the cloud provider`;
  recordNodeEvent(options.events, node, { type: "Normal", reason: "DeletingNode", message });
}

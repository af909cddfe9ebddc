import type { KubeClient, Node } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { DeletionGuard } from "../../reconcile/deletion-guard.ts";
import type { Reconciler } from "../../reconcile/reconciler.ts";
import { createNodeView } from "../objects/written-nodes.ts";
import { deleteNode, limitReached, writeTaints } from "./apply.ts";
import type { LifecycleAnswer, LifecycleChange } from "./changes.ts";
import { concludeLifecycle } from "./conclude.ts";
import { type LifecyclePorts, observeLifecycle } from "./observe.ts";
import { type LifecycleMemory, type LifecycleObserved, NO_MEMORY } from "./observed.ts";
import { planLifecycle } from "./plan.ts";

export interface NodeLifecycleReconcilerOptions extends Omit<LifecyclePorts, "view"> {
  readonly client: Pick<KubeClient, "patch" | "delete">;
  /** Must be created with `NODE_INDEXES`. */
  readonly informer: Pick<Informer<Node>, "get" | "byIndex">;
  /** Undefined while the guard is off: then every proven deletion is done at once, as in upstream. */
  readonly guard?: Pick<DeletionGuard, "verdict" | "take" | "foresee"> | undefined;
}

export type NodeLifecycleReconciler = Reconciler<
  LifecycleObserved,
  LifecycleChange,
  LifecycleMemory,
  LifecycleAnswer
>;

/**
 * Creates the reconciler that taints nodes whose instance is off and deletes those whose instance is proven gone
 * (spec/20).
 */
export function createNodeLifecycleReconciler(
  options: NodeLifecycleReconcilerOptions,
): NodeLifecycleReconciler {
  const { client, guard } = options;
  const view = createNodeView(options.informer);
  const ports = { ...options, view };
  return {
    noMemory: NO_MEMORY,
    object: view.object,
    observe: (key, run) => observeLifecycle(ports, key, run),
    plan: (observed, _memory, nowMs) => planLifecycle(observed, nowMs),
    apply: async (change, { node }, run) => {
      if (change.kind === "node.delete") return deleteNode(options, { change, node }, run);
      const written = await writeTaints(client, { change, node }, run);
      view.wrote(written);
      return { kind: "node", node: written };
    },
    rehearse: (change) => {
      if (change.kind !== "node.delete") return;
      const { name } = change.target;
      const verdict = guard?.foresee?.({ name, uid: change.before.uid });
      if (verdict?.kind === "held") throw limitReached(name);
    },
    conclude: concludeLifecycle,
  };
}

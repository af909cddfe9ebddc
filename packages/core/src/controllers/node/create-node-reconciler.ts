import type { Node } from "../../kube/client.ts";
import { KubeError } from "../../kube/errors.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import { stripManagedFields } from "../../kube/informer/strip.ts";
import type { Reconciler } from "../../reconcile/reconciler.ts";
import { activeHoldOf } from "../hold/hold.ts";
import { nameOf } from "../objects/object-meta.ts";
import type { RoutesUnderWay } from "../objects/routes-under-way.ts";
import { createNodeView, newestOf } from "../objects/written-nodes.ts";
import { hasUninitializedTaint } from "./actions/override.ts";
import { applyNodeChange, type NodeWriter } from "./apply.ts";
import type { NodeChange } from "./changes.ts";
import { concludeNode } from "./conclude.ts";
import { isDue, type LookUpPorts } from "./look-up.ts";
import { NO_MEMORY, type NodeMemory } from "./node-memory.ts";
import { observeNode } from "./observe.ts";
import type { NodeObserved } from "./observed.ts";
import { planNode } from "./plan.ts";

export interface NodeReconcilerOptions extends LookUpPorts {
  readonly client: NodeWriter;
  /** Must be created with `NODE_INDEXES`. */
  readonly informer: Pick<Informer<Node>, "get" | "byIndex">;
  /** The route controller's, if it runs here. */
  readonly routesUnderWay?: Pick<RoutesUnderWay, "settled"> | undefined;
}

export type NodeReconciler = Reconciler<NodeObserved, NodeChange, NodeMemory, Node>;

/** Creates the reconciler that initialises nodes from the cloud's facts and keeps them in sync (spec/10). */
export function createNodeReconciler(options: NodeReconcilerOptions): NodeReconciler {
  const { client, policy, routesUnderWay } = options;
  const view = createNodeView(options.informer);
  const ports = { ...options, view };
  return {
    noMemory: NO_MEMORY,
    object: view.object,
    // A change may have replaced the queued periodic check: then it is more than an echo.
    isSettled: (key, { trigger, memory, nowMs }) => {
      if (trigger.kind !== "change" || memory.settledAt === undefined) return false;
      const isSame = view.get(key)?.metadata?.resourceVersion === memory.settledAt;
      return isSame && !isDue(nowMs, memory, policy);
    },
    observe: (key, run) => observeNode(ports, key, run),
    plan: (observed, _memory, nowMs) => planNode(observed, nowMs),
    untilReady: ({ changes }) => {
      const initialise = changes.find((change) => change.kind === "node.initialise");
      const waits = initialise !== undefined && hasUninitializedTaint(initialise.before.taints);
      return waits ? routesUnderWay?.settled(initialise.target.name) : undefined;
    },
    apply: async (change, observed, run) => {
      const node = newestOf(view, observed.node);
      requireUnheld(change, { node, planned: observed.node }, run.nowMs);
      // Stripped as in the cache, or the second write would send back half a node of managed
      // fields, which the API server ignores.
      const written = stripManagedFields(await applyNodeChange(client, { change, node }, run));
      view.wrote(written);
      return written;
    },
    conclude: concludeNode,
  };
}

/** A plan from before somebody held the node is made again, except for a hold or release itself. */
function requireUnheld(
  { kind }: NodeChange,
  { node, planned }: { readonly node: Node; readonly planned: Node },
  nowMs: number,
): void {
  if (kind === "node.hold" || kind === "node.release") return;
  if (activeHoldOf(node, nowMs) === undefined) return;
  if (activeHoldOf(planned, nowMs) !== undefined) return;
  throw new KubeError("Conflict", "the node was put on hold in the meantime", {
    verb: "update",
    resource: "nodes",
    name: nameOf(node),
  });
}

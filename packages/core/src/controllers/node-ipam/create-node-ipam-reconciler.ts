import type { KubeClient, Node } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { OldReconciler } from "../../reconcile/old-reconciler.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import { createNodeView } from "../objects/written-nodes.ts";
import { type AllocationOptions, Allocations } from "./allocations.ts";
import { givePodCidrs } from "./apply.ts";
import type { PodCidrsWrite } from "./changes.ts";
import type { IpamMetrics } from "./ipam-metrics.ts";
import { observeIpam } from "./observe.ts";
import type { IpamObserved } from "./observed.ts";
import { planIpam } from "./plan.ts";
import { projectIpam } from "./project.ts";
import { SettledNodes } from "./settled-nodes.ts";

export interface NodeIpamReconcilerOptions
  extends Pick<AllocationOptions, "ranges" | "serviceRanges" | "dryRun" | "wake"> {
  readonly client: Pick<KubeClient, "patch" | "get">;
  readonly informer: Pick<Informer<Node>, "get">;
  readonly metrics: IpamMetrics;
}

export interface NodeIpamReconciler extends OldReconciler<IpamObserved, PodCidrsWrite> {
  /** Learns of a Node that the cache shows. */
  see(node: Node): void;
  /**
   * Learns what all Nodes have, from a list that was made after this process began to lead, and only then offers anything:
   * the cache may be from before the last leader's last write.
   */
  begin(nodes: readonly Node[]): void;
  /** What it had is free: the Node is gone from the API. */
  forget(uid: string): void;
}

/** Gives each Node its pod ranges, once, out of the cluster's (spec/40 part B). */
export function createNodeIpamReconciler(options: NodeIpamReconcilerOptions): NodeIpamReconciler {
  const { client, informer, metrics } = options;
  const view = createNodeView(informer);
  const allocations = new Allocations({ ...options, meter: metrics });
  metrics.readPools(() => allocations.pools);
  const { promise: known, resolve: tellKnown } = createSignal();
  const ports = { client, view, allocations, known };
  const settled = new SettledNodes();
  /** UIDs of Nodes that went before it was known what all have. */
  let goneBefore: Set<string> | undefined = new Set();

  return {
    controller: "node-ipam-controller",
    object: view.object,
    isSettled: (key) => {
      const node = view.get(key);
      return node !== undefined && settled.has(node, allocations.problemsOf(node).length > 0);
    },
    observe: (key, run) => observeIpam(ports, key, run),
    plan: planIpam,
    apply: (change, observed, run) => givePodCidrs(ports, { change, node: observed.node }, run),
    project: (observed, plan, result) => {
      const newest = view.get(nameOf(observed.node));
      const isSame = newest !== undefined && uidOf(newest) === uidOf(observed.node);
      const node = isSame ? newest : observed.node;
      settled.note(node, plan, result);
      return projectIpam({ plan, result, node, pools: allocations.pools });
    },
    see: (node) => allocations.see(node),
    begin: (nodes) => {
      for (const node of nodes) {
        // It went while the list was on its way: nobody would ever free its blocks.
        if (goneBefore?.has(uidOf(node)) === true) continue;
        allocations.see(node);
        view.wrote(node);
      }
      goneBefore = undefined;
      tellKnown();
    },
    forget: (uid) => {
      goneBefore?.add(uid);
      settled.forget(uid);
      allocations.gone(uid);
    },
  };
}

function createSignal(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

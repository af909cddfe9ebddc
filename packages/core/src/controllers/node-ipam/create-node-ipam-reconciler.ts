import type { KubeClient, Node } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { Reconciler } from "../../reconcile/reconciler.ts";
import { holdOf } from "../hold/hold.ts";
import { uidOf } from "../objects/object-meta.ts";
import { podCidrsOf } from "../objects/pod-cidrs.ts";
import { createNodeView } from "../objects/written-nodes.ts";
import { type AllocationOptions, Allocations } from "./allocations.ts";
import { type Given, givePodCidrs } from "./apply.ts";
import type { PodCidrsWrite } from "./changes.ts";
import { concludeIpam } from "./conclude.ts";
import type { IpamMetrics } from "./ipam-metrics.ts";
import { observeIpam } from "./observe.ts";
import { type IpamMemory, type IpamObserved, NO_MEMORY } from "./observed.ts";
import { planIpam } from "./plan.ts";

export interface NodeIpamReconcilerOptions
  extends Pick<AllocationOptions, "ranges" | "serviceRanges" | "dryRun" | "wake"> {
  readonly client: Pick<KubeClient, "patch" | "get">;
  readonly informer: Pick<Informer<Node>, "get">;
  readonly metrics: IpamMetrics;
}

export interface NodeIpamReconciler
  extends Reconciler<IpamObserved, PodCidrsWrite, IpamMemory, Given> {
  /** Learns of a Node in the cache; from `begin` on, a Node without ranges is offered some. */
  see(node: Node): void;
  /**
   * Learns the ranges of all Nodes from a list made after this process became leader, and offers nothing before that: the
   * cache may predate the previous leader's last write.
   */
  begin(nodes: readonly Node[]): void;
  /** The Node is gone from the API: its blocks are free. */
  forget(uid: string): void;
}

/** Creates the reconciler that gives each Node its pod ranges, once, out of the cluster's (spec/40 part B). */
export function createNodeIpamReconciler(options: NodeIpamReconcilerOptions): NodeIpamReconciler {
  const { client, informer, metrics } = options;
  const view = createNodeView(informer);
  const allocations = new Allocations({ ...options, meter: metrics });
  metrics.readPools(() => allocations.pools);
  const { promise: known, resolve: reportKnown } = createSignal();
  const ports = { client, view, allocations, known };
  /** UIDs of Nodes that disappeared before the ranges of all Nodes were known. */
  let goneBefore: Set<string> | undefined = new Set();

  return {
    object: view.object,
    noMemory: NO_MEMORY,
    isSettled: (key, { memory }) => {
      const node = view.get(key);
      return node !== undefined && isSettled(allocations, node, memory);
    },
    observe: (key, run) => observeIpam(ports, key, run),
    plan: (observed, _memory, nowMs) => planIpam(observed, nowMs),
    apply: (change, observed, run) => givePodCidrs(ports, { change, node: observed.node }, run),
    conclude: concludeIpam,
    see: (node) => allocations.see(node),
    begin: (nodes) => {
      for (const node of nodes) {
        // It disappeared while the list was being read: nobody would ever free its blocks.
        if (goneBefore?.has(uidOf(node)) === true) continue;
        allocations.see(node);
        view.wrote(node);
      }
      goneBefore = undefined;
      allocations.begin();
      reportKnown();
    },
    forget: (uid) => {
      goneBefore?.add(uid);
      allocations.gone(uid);
    },
  };
}

/**
 * Reports whether a run would find the Node as the last one left it. That is so for the cache's echo of our own write, which
 * would otherwise be recorded again only because other nodes have got blocks meanwhile.
 */
function isSettled(allocations: Allocations, node: Node, { settledRanges }: IpamMemory): boolean {
  if (holdOf(node) !== undefined || allocations.problemsOf(node).length > 0) return false;
  return settledRanges === podCidrsOf(node).join();
}

function createSignal(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

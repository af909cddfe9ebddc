import type { IpFamily } from "@cloudwright/provider-api";
import type { InstanceDirectory, RouteDirectory } from "../../cloud/ports.ts";
import type { KubeClient, Node } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { Effects } from "../../reconcile/effects.ts";
import type { Reconciler } from "../../reconcile/reconciler.ts";
import type { NodeSightings } from "../objects/node-sightings.ts";
import { createNodeView } from "../objects/written-nodes.ts";
import { applyRouteChange, type ClusterIdentity } from "./apply.ts";
import type { RouteChange } from "./changes.ts";
import { ClusterNodes } from "./claims/cluster-nodes.ts";
import { ipRangesOf } from "./claims/pod-ranges.ts";
import { RouteClassifier } from "./claims/route-classifier.ts";
import { concludeRoutes } from "./conclude.ts";
import { keyOfObject } from "./keys.ts";
import { RouteLastSeen } from "./last-seen.ts";
import { NO_MEMORY, type RouteAnswer, type RouteMemory } from "./memory.ts";
import { observeRoutes } from "./observe.ts";
import type { Observed, RoutePolicy } from "./observed.ts";
import { planRoutes } from "./plan.ts";

export interface RouteReconcilerOptions {
  readonly client: Pick<KubeClient, "patch">;
  readonly informer: Pick<Informer<Node>, "get" | "list" | "subscribe">;
  readonly sightings: Pick<NodeSightings, "firstSeen">;
  readonly effects: Effects;
  readonly cluster: ClusterIdentity;
  /** The provider's name. */
  readonly provider: string;
  readonly routes: RouteDirectory;
  /** Undefined if the provider offers none; otherwise no route is created to a machine that is gone. */
  readonly instances: InstanceDirectory | undefined;
  /** The address families that its routes support. */
  readonly families: readonly IpFamily[];
  /** Whether its routes carry marks. */
  readonly storesOwner: boolean;
  readonly policy: RoutePolicy;
}

export interface RouteReconciler
  extends Reconciler<Observed, RouteChange, RouteMemory, RouteAnswer> {
  readonly lastSeen: RouteLastSeen;
  /** Stops following the informer. */
  stop(): void;
}

/**
 * Creates the reconciler that gives each pod range of each Node its route, removes unwanted routes, and reports that in the
 * condition (spec/40).
 */
export function createRouteReconciler(options: RouteReconcilerOptions): RouteReconciler {
  const { informer, cluster, policy, provider, families, storesOwner, effects } = options;
  const nodes = new ClusterNodes(informer);
  const ranges = ipRangesOf(policy.ranges);
  const { clusterUid } = cluster;
  const { adopt } = policy;
  const view = createNodeView(informer);
  const classifier = new RouteClassifier({
    ...{ nodes, informer, clusterUid, provider, families, ranges, storesOwner, adopt },
  });
  const lastSeen = new RouteLastSeen(classifier, view, effects);
  const ports = { ...options, lastSeen, view, nodes: () => informer.list() };
  return {
    noMemory: NO_MEMORY,
    lastSeen,
    stop: () => nodes.stop(),
    object: (key) => lastSeen.object(key),
    keyOf: keyOfObject,
    observe: (key, run) => observeRoutes(ports, key, run),
    plan: (observed, _memory, nowMs) => planRoutes(observed, nowMs),
    apply: (change, observed, run) => applyRouteChange(ports, { change, observed }, run),
    conclude: concludeRoutes,
  };
}

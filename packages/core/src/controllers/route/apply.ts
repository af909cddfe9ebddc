import {
  type CloudRoute,
  isNodeAddress,
  type RouteMark,
  type RouteWish,
} from "@cloudwright/provider-api";
import { type KubeClient, NODES, type Node } from "../../kube/client.ts";
import type { CallPriority } from "../../model/call-priority.ts";
import type { Clock } from "../../model/time.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { providerIdOf } from "../objects/node-object.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import {
  CONDITION_MESSAGES,
  type ConditionWrite,
  NETWORK_UNAVAILABLE,
  type RouteDelete,
} from "./changes.ts";
import type { Observed } from "./observed.ts";

/** In whose name routes are made. */
export interface ClusterIdentity {
  readonly clusterUid: string;
  /** `--cluster-name`. */
  readonly clusterName: string;
}

/** Makes one route; its mark and, as a hint for its name, the Node's UID tell whose it is. Throws ProviderError. */
export function createRouteFor(
  cluster: ClusterIdentity,
  { node, destination }: { readonly node: Node; readonly destination: string },
  run: RunContext,
): Promise<CloudRoute> {
  const wish: RouteWish = {
    mark: markOf(cluster, node),
    destination,
    target: { nodeName: nameOf(node), providerID: providerIdOf(node) },
    targetAddresses: (node.status?.addresses ?? []).filter(isNodeAddress),
  };
  return run.routes.create(wish, beforeRefresh(run, "new"));
}

/** Removes the route that was planned for, as it was observed. Throws ProviderError. */
export async function removeRoute(
  change: RouteDelete,
  observed: Observed,
  run: RunContext,
): Promise<void> {
  const route = staleRoutesOf(observed).find(({ id }) => id === change.before.id);
  if (route === undefined) throw new Error(`The route ${change.before.id} was not observed.`);
  await run.routes.remove(route, beforeRefresh(run, "deletion"));
}

/** Writes status and reason, and nothing else of the Node, and answers with what came of it. Throws KubeError. */
export function writeCondition(
  client: Pick<KubeClient, "patch">,
  { change, node, clock }: { change: ConditionWrite; node: Node; clock: Clock },
  run: RunContext,
): Promise<Node> {
  const now = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
  const { status, reason } = change.after;
  const condition = {
    type: NETWORK_UNAVAILABLE,
    status,
    reason,
    message: CONDITION_MESSAGES[reason],
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  };
  const target = { resource: NODES, name: nameOf(node), subresource: "status" } as const;
  const body = { metadata: { uid: uidOf(node) }, status: { conditions: [condition] } };
  return client.patch<Node>(target, { kind: "strategic", body }, run.kube);
}

function markOf({ clusterUid, clusterName }: ClusterIdentity, node: Node): RouteMark {
  return { clusterUid, clusterName, objectUid: uidOf(node), node: nameOf(node) };
}

function staleRoutesOf(observed: Observed): readonly CloudRoute[] {
  switch (observed.kind) {
    case "node":
      return [...observed.stale, ...observed.ranges.flatMap(({ wrong }) => wrong)].map(
        ({ route }) => route,
      );
    case "departed":
      return observed.stale.map(({ route }) => route);
    case "loose":
      return [observed.stale.route];
    case "table":
      return [];
  }
}

/** What the periodic look found has waited long enough; a person's wish goes before all. */
function beforeRefresh({ priority }: RunContext, usual: CallPriority): CallPriority {
  return priority === "person" ? "person" : usual;
}

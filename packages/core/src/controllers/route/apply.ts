import {
  type CloudRoute,
  isNodeAddress,
  isProviderError,
  type RouteOwner,
  type RouteSpec,
} from "@cloudwright/provider-api";
import type { RouteDirectory } from "../../cloud/ports.ts";
import { type KubeClient, NODES, type Node } from "../../kube/client.ts";
import type { CallPriority } from "../../model/call-priority.ts";
import { ObserveAgain } from "../../reconcile/run/observe-again.ts";
import { providerIdOf } from "../objects/node-object.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import type { NodeView } from "../objects/written-nodes.ts";
import {
  CONDITION_MESSAGES,
  type ConditionWrite,
  NETWORK_UNAVAILABLE,
  type RouteChange,
  type RouteCreate,
  type RouteDelete,
} from "./changes.ts";
import { isOfWhatIsThere, type RouteAnswer, type RouteContext, subjectOfWrite } from "./memory.ts";
import type { NodeObserved, Observed } from "./observed.ts";

/** The identity in whose name routes are created. */
export interface ClusterIdentity {
  readonly clusterUid: string;
  /** `--cluster-name`. */
  readonly clusterName: string;
}

export interface ApplyPorts {
  readonly routes: RouteDirectory;
  readonly client: Pick<KubeClient, "patch">;
  readonly view: NodeView;
  readonly cluster: ClusterIdentity;
}

/**
 * Makes one write. Throws KubeError or ProviderError; for a Node's routes it throws ObserveAgain, so that the Node's other ranges
 * and its condition do not wait for the failed one.
 */
export async function applyRouteChange(
  ports: ApplyPorts,
  { change, observed }: { readonly change: RouteChange; readonly observed: Observed },
  run: RouteContext,
): Promise<RouteAnswer> {
  if (change.kind === "node.network-condition.write") {
    return observed.kind === "node" ? writeCondition(ports, { change, observed }, run) : {};
  }
  try {
    if (change.kind === "route.delete") return await removeRoute(ports, { change, observed }, run);
    return observed.kind === "node" ? await createRoute(ports, { change, observed }, run) : {};
  } catch (error) {
    throw observed.kind === "node" ? lessonOf(change, error, run) : error;
  }
}

/**
 * If the cloud refuses because of what already exists, that is observed once more before the run goes on without the
 * write.
 */
function lessonOf(change: RouteCreate | RouteDelete, error: unknown, run: RouteContext): unknown {
  if (!isProviderError(error) || error.call.fenced === true || run.signal.aborted) return error;
  const subject = subjectOfWrite(change);
  const isFirst = !run.failed.some(
    (one) =>
      one.change.kind !== "node.network-condition.write" && subjectOfWrite(one.change) === subject,
  );
  const isObserved = isFirst && isOfWhatIsThere(error);
  return new ObserveAgain(`${isObserved ? "what is" : "the failure"} at ${subject}`, error);
}

/** The owner's mark and, as a hint in its name, the Node's UID identify its owner. */
async function createRoute(
  { cluster, routes }: ApplyPorts,
  { change, observed: { node } }: { readonly change: RouteCreate; readonly observed: NodeObserved },
  run: RouteContext,
): Promise<RouteAnswer> {
  const action: RouteSpec = {
    owner: ownerOf(cluster, node),
    destination: change.after.destination,
    target: { nodeName: nameOf(node), providerID: providerIdOf(node) },
    targetAddresses: (node.status?.addresses ?? []).filter(isNodeAddress),
  };
  return { route: await run.cloud(routes).create(action, beforeRefresh(run, "new")) };
}

/** Removes the planned route, as it was observed. */
async function removeRoute(
  { routes }: ApplyPorts,
  { change, observed }: { readonly change: RouteDelete; readonly observed: Observed },
  run: RouteContext,
): Promise<RouteAnswer> {
  const route = staleRoutesOf(observed).find(({ id }) => id === change.before.id);
  if (route === undefined) throw new Error(`The route ${change.before.id} was not observed.`);
  await run.cloud(routes).remove(route, beforeRefresh(run, "deletion"));
  return {};
}

/** Writes status and reason, and nothing else on the Node. */
async function writeCondition(
  { client, view }: ApplyPorts,
  { change, observed }: { readonly change: ConditionWrite; readonly observed: NodeObserved },
  run: RouteContext,
): Promise<RouteAnswer> {
  const now = new Date(run.nowMs).toISOString().replace(/\.\d+Z$/, "Z");
  const { status, reason } = change.after;
  const condition = {
    type: NETWORK_UNAVAILABLE,
    status,
    reason,
    message: CONDITION_MESSAGES[reason],
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  };
  const { node } = observed;
  const target = { resource: NODES, name: nameOf(node), subresource: "status" } as const;
  const body = { metadata: { uid: uidOf(node) }, status: { conditions: [condition] } };
  const written = await client.patch<Node>(target, { kind: "strategic", body }, run.kube);
  view.wrote(written);
  return { node: written };
}

function ownerOf({ clusterUid, clusterName }: ClusterIdentity, node: Node): RouteOwner {
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

/** Changes that the periodic check found have waited long enough; a user's action goes before all others. */
function beforeRefresh({ priority }: RouteContext, usual: CallPriority): CallPriority {
  return priority === "person" ? "person" : usual;
}

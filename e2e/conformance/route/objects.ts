import type { Instance } from "../../harness/cloud.ts";
import type { Node } from "../../harness/kube.ts";
import {
  allRoutes,
  type NewRoute,
  putRoute,
  ROUTE_CLUSTER_TAG,
  ROUTE_NODE_TAG,
  ROUTE_NODE_UID_TAG,
  type Route,
} from "../../harness/routes.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import {
  createInstance,
  createNode,
  internal,
  type NodeOptions,
  untilNode,
} from "../environment/objects.ts";
import type { Environment } from "../environment/scenario.ts";

/** The rows' ranges of pods, and the period in which all routes are checked (spec/90 §0). */
export const CLUSTER_CIDR = "10.120.0.0/16,fd00:120::/48";
export const PERIOD_MS = 1_000;

/** Section 4 of spec/90 runs with the route controller alone. */
export const ROUTE_FLAGS = {
  "--controllers": "node-route-controller",
  "--configure-cloud-routes": "true",
  "--cluster-cidr": CLUSTER_CIDR,
  "--route-reconciliation-period": `${PERIOD_MS / 1_000}s`,
  "--v": "2",
} as const;

export interface Joined {
  readonly node: Node;
  readonly instance: Instance;
}

/** Creates a machine and its initialised node with these pod ranges. */
export async function join(
  env: Environment,
  name: string,
  ...[podCIDRs, options]: [podCIDRs: readonly string[], options?: NodeOptions]
): Promise<Joined> {
  const instance = await machine(env, name);
  return { instance, node: await register(env, instance, { podCIDRs, ...options }) };
}

export function machine(env: Environment, name: string): Promise<Instance> {
  return createInstance(env, name, { addresses: [internal(addressOf(name))] });
}

/** Creates the initialised node of a machine. */
export function register(
  env: Environment,
  { id, name, addresses }: Instance,
  options: NodeOptions,
): Promise<Node> {
  const providerID = `sandbox://${id}`;
  return createNode(env, name, { taints: [], providerID, addresses, ...options });
}

/** Each name has its own address, so that rows do not conflict. */
function addressOf(name: string): string {
  const sum = [...name].reduce((all, letter) => (all * 31 + letter.charCodeAt(0)) % 65_536, 7);
  return `10.9.${Math.floor(sum / 256)}.${sum % 256}`;
}

export function assignRanges({ kube }: Environment, name: string, podCIDRs: readonly string[]) {
  const [podCIDR] = podCIDRs;
  return kube.patch<Node>(`/api/v1/nodes/${name}`, "merge", { spec: { podCIDR, podCIDRs } });
}

/** Returns the mark of this cluster's routes. */
export async function ownerOf({ kube }: Environment, node: string, uid: string) {
  const { metadata } = await kube.get("/api/v1/namespaces/kube-system");
  return {
    [ROUTE_CLUSTER_TAG]: metadata.uid ?? "",
    [ROUTE_NODE_TAG]: node,
    [ROUTE_NODE_UID_TAG]: uid,
  };
}

/** Creates a route of this cluster that no Node needs, as left by an earlier controller. */
export async function putOurs(env: Environment, route: NewRoute, node = "of-yore"): Promise<Route> {
  const tags = await ownerOf(env, node, "4e5b0000-0000-4000-8000-00000000000a");
  return putRoute(env.cloud, { ...route, tags });
}

/** The mark of another cluster's routes. */
export const FOREIGN_OWNER = {
  [ROUTE_CLUSTER_TAG]: "4e5b0000-0000-4000-8000-000000000000",
  [ROUTE_NODE_TAG]: "elsewhere",
  [ROUTE_NODE_UID_TAG]: "4e5b0000-0000-4000-8000-000000000001",
} as const;

export async function routeTo(env: Environment, destination: string): Promise<Route | undefined> {
  return (await allRoutes(env.cloud)).find((route) => route.destination === destination);
}

/** Waits until the only route to this range leads to this machine. */
export function leadsTo(
  env: Environment,
  destination: string,
  { id }: Pick<Instance, "id">,
): Promise<Route> {
  return eventually(async () => {
    const route = await routeTo(env, destination);
    demand(route !== undefined, `there is no route to ${destination}`);
    same(route.instanceId, id, `where ${destination} leads to`);
    return route;
  });
}

export function noRouteTo(env: Environment, destination: string): Promise<void> {
  return eventually(async () => {
    const route = await routeTo(env, destination);
    demand(route === undefined, `there is still a route to ${destination}`);
  });
}

/** Checks that the route stays unchanged: "never" in spec/90, counted in periods. */
export async function routeStays(env: Environment, route: Route, periods = 5): Promise<void> {
  await always(
    async () => same(await routeTo(env, route.destination), route, `the route ${route.id}`),
    { forMs: periods * PERIOD_MS },
  );
}

export function conditionOf(node: Node) {
  return node.status.conditions?.find(({ type }) => type === "NetworkUnavailable");
}

export const CREATED = "False/RouteCreated";
export const NOT_CREATED = "True/NoRouteCreated";

export function condition(
  env: Environment,
  name: string,
  wanted: string | undefined,
): Promise<Node> {
  return untilNode(env, name, { check: (node) => hasCondition(node, wanted) });
}

export function hasCondition(node: Node, wanted: string | undefined): void {
  const found = conditionOf(node);
  const has = found === undefined ? undefined : `${found.status}/${found.reason}`;
  same(has, wanted, `the condition NetworkUnavailable of ${node.metadata.name}`);
}

export async function setCondition(
  { kube }: Environment,
  name: string,
  { status, reason }: { readonly status: string; readonly reason: string },
): Promise<void> {
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const times = { lastHeartbeatTime: now, lastTransitionTime: now };
  const one = { type: "NetworkUnavailable", status, reason, message: "said by the row", ...times };
  await kube.patch(`/api/v1/nodes/${name}/status`, "strategic", { status: { conditions: [one] } });
}

/** Returns how often this operation was called in the cloud. */
export async function callsOf(env: Environment, operation: string): Promise<number> {
  return (await env.cloud.calls()).byOperation[operation]?.count ?? 0;
}

export const LIST = "GET /v1/routes";
export const CREATE = "POST /v1/routes";

export function dropNode({ kube }: Environment, name: string): Promise<unknown> {
  return kube.delete(`/api/v1/nodes/${name}`);
}

import type { Instance, NewInstance, RecordedCall } from "../../harness/cloud.ts";
import type { KubeEvent, Node, Taint } from "../../harness/kube.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import type { ClusterSide, Environment } from "./scenario.ts";

/** The taint with which kubelets with `--cloud-provider=external` register. */
export const UNINITIALIZED: Taint = {
  key: "node.cloudprovider.kubernetes.io/uninitialized",
  value: "true",
  effect: "NoSchedule",
};
export const SHUTDOWN_KEY = "node.cloudprovider.kubernetes.io/shutdown";
export const PROVIDED_IP = "alpha.kubernetes.io/provided-node-ip";
export const ZONE = [
  "topology.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/zone",
] as const;
export const REGION = [
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/region",
] as const;
export const TYPE = [
  "node.kubernetes.io/instance-type",
  "beta.kubernetes.io/instance-type",
] as const;
/** Taints that the API server's own admission adds; no scenario is about them (spec/90 §0). */
const ADMISSION_TAINTS = new Set(["node.kubernetes.io/not-ready"]);

export interface NodeOptions {
  taints?: Taint[];
  providerID?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  addresses?: { type: string; address: string }[];
  /** `Missing` omits the condition. */
  ready?: "True" | "False" | "Unknown" | "Missing";
  /** The first one is also its `podCIDR`. */
  podCIDRs?: readonly string[];
  finalizers?: string[];
}

export async function createNode(
  { kube }: ClusterSide,
  name: string,
  options: NodeOptions = {},
): Promise<Node> {
  const { ready = "True", taints = [UNINITIALIZED], providerID, finalizers } = options;
  return kube.create<Node>("/api/v1/nodes", {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: { "kubernetes.io/hostname": name, ...options.labels },
      annotations: options.annotations ?? {},
      ...(finalizers === undefined ? {} : { finalizers }),
    },
    spec: {
      taints,
      ...(providerID === undefined ? {} : { providerID }),
      ...podRanges(options.podCIDRs),
    },
    status: {
      addresses: options.addresses ?? [{ type: "Hostname", address: name }],
      conditions: ready === "Missing" ? [] : [readyCondition(ready)],
    },
  });
}

/** The API server requires both fields or none. */
function podRanges(podCIDRs: readonly string[] = []) {
  const [podCIDR] = podCIDRs;
  return podCIDR === undefined ? {} : { podCIDR, podCIDRs };
}

export function createInstance(
  env: Environment,
  name: string,
  fields: Partial<NewInstance> = {},
): Promise<Instance> {
  return env.cloud.put({
    type: "m1",
    zone: "z1",
    region: "r1",
    addresses: [internal("10.0.0.1")],
    ...fields,
    name,
  });
}

/** Creates an initialised node named after its row (`n-26`), with the row's address; returns its instance. */
export async function prepared(env: Environment, name: string): Promise<Instance> {
  const address = `10.${Number(name.slice(2))}.0.1`;
  const instance = await createInstance(env, name, { addresses: [internal(address)] });
  await createNode(env, name);
  await initialised(env, name);
  return instance;
}

export function internal(address: string) {
  return { type: "InternalIP", address };
}

export function external(address: string) {
  return { type: "ExternalIP", address };
}

export function hostname(address: string) {
  return { type: "Hostname", address };
}

export async function setReady(
  { kube }: ClusterSide,
  name: string,
  ready: "True" | "False" | "Unknown",
): Promise<void> {
  await kube.patch(`/api/v1/nodes/${name}/status`, "strategic", {
    status: { conditions: [readyCondition(ready)] },
  });
}

/** Resolves when the watch shows the change, so that checks afterwards do not see the previous node. */
export async function patchNode(env: ClusterSide, name: string, body: object): Promise<Node> {
  const patched = await env.kube.patch<Node>(`/api/v1/nodes/${name}`, "merge", body);
  await eventually(
    () => demand(isShown(env, name, patched), `the watch does not show the change of node ${name}`),
    { withinMs: 30_000, on: env.nodes },
  );
  return patched;
}

/** A Node that was deleted or re-created no longer has the change. */
function isShown({ nodes }: ClusterSide, name: string, { metadata }: Node): boolean {
  const shown = nodes.get(name)?.metadata;
  if (shown === undefined || shown.uid !== metadata.uid) return true;
  return BigInt(shown.resourceVersion ?? 0) >= BigInt(metadata.resourceVersion ?? 0);
}

export function setTaints(env: ClusterSide, name: string, taints: Taint[]): Promise<Node> {
  return patchNode(env, name, { spec: { taints } });
}

export function seen({ nodes }: ClusterSide, name: string): Node {
  const node = nodes.get(name);
  demand(node !== undefined, `node ${name} is not there`);
  return node;
}

export function taintsOf(node: Node): Taint[] {
  return (node.spec.taints ?? []).filter((taint) => !ADMISSION_TAINTS.has(taint.key));
}

export function hasTaint(node: Node, key: string): boolean {
  return taintsOf(node).some((taint) => taint.key === key);
}

export function labelsOf(node: Node, keys: readonly string[]): (string | undefined)[] {
  return keys.map((key) => node.metadata.labels?.[key]);
}

/** Returns the node's zone, region and type labels, sorted by key. */
export function cloudLabels(node: Node): Record<string, string> {
  const all: readonly string[] = [...ZONE, ...REGION, ...TYPE];
  const labels = Object.entries(node.metadata.labels ?? {}).filter(([key]) => all.includes(key));
  return Object.fromEntries(labels.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Waits until the node no longer has the uninitialised taint. */
export function initialised(env: ClusterSide, name: string, withinMs = 30_000): Promise<Node> {
  return untilNode(env, name, {
    withinMs,
    check: (node) =>
      demand(!hasTaint(node, UNINITIALIZED.key), `${name} keeps the uninitialized taint`),
  });
}

export async function untilNode(
  env: ClusterSide,
  name: string,
  { check, withinMs = 30_000 }: { check: (node: Node) => void; withinMs?: number },
): Promise<Node> {
  return eventually(
    () => {
      const node = seen(env, name);
      check(node);
      return node;
    },
    { withinMs, on: env.nodes },
  );
}

/** Checks that the node, once it exists, stays that way: "never" in spec/90 is 10 s. */
export async function nodeStays(
  env: ClusterSide,
  name: string,
  { check, forMs = 10_000 }: { check: (node: Node) => void; forMs?: number },
): Promise<void> {
  await untilNode(env, name, { check: () => undefined });
  await always(() => check(seen(env, name)), { forMs, on: env.nodes });
}

export function keepsTaint(node: Node): void {
  demand(hasTaint(node, UNINITIALIZED.key), `${node.metadata.name} lost the uninitialized taint`);
}

export function untouched(node: Node): void {
  keepsTaint(node);
  same(cloudLabels(node), {}, "the cloud's labels");
  same(node.spec.providerID, undefined, "the provider ID");
}

export function gone(env: ClusterSide, name: string, withinMs = 30_000): Promise<void> {
  return eventually(
    () => demand(env.nodes.get(name) === undefined, `node ${name} is still there`),
    {
      withinMs,
      on: env.nodes,
    },
  );
}

export function eventsOf({ events }: ClusterSide, name: string): KubeEvent[] {
  return events
    .all()
    .filter((event) => event.involvedObject.kind === "Node" && event.involvedObject.name === name);
}

export function countOf(events: readonly KubeEvent[], reason: string): number {
  return events
    .filter((event) => event.reason === reason)
    .reduce((sum, event) => sum + (event.count ?? 1), 0);
}

/** Returns the number of calls to the cloud that name this instance, by id or name, in path or query. */
export async function readsNaming(env: Environment, ...names: string[]): Promise<number> {
  const { recent } = await env.cloud.calls();
  return recent.filter(
    (call) => call.method === "GET" && names.some((name) => namesInstance(call, name)),
  ).length;
}

/**
 * Counts only those that the cloud answered. A batch read that fails because of another row's instance is repeated in parts,
 * which says nothing about how often this instance is looked up.
 */
export async function answersNaming(env: Environment, ...names: string[]): Promise<number> {
  const { recent } = await env.cloud.calls();
  return recent.filter(
    (call) => call.status === 200 && names.some((name) => namesInstance(call, name)),
  ).length;
}

function namesInstance({ path, query }: RecordedCall, name: string): boolean {
  if (path.split("/").includes(name)) return true;
  return [...new URLSearchParams(query)].some(([, value]) => value === name);
}

function readyCondition(status: "True" | "False" | "Unknown") {
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  return {
    type: "Ready",
    status,
    reason: status === "True" ? "KubeletReady" : "KubeletNotReady",
    message: "",
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  };
}

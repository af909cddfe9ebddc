import { KubeFailure, type Node, type Taint } from "../../harness/kube.ts";
import { type LoadBalancer, loadBalancersOf } from "../../harness/load-balancers.ts";
import type { RelayedCall } from "../../harness/relays/cloud-relay.ts";
import type { Ingress, Service } from "../../harness/service.ts";
import { SERVICES } from "../../harness/service.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { createInstance, createNode, internal } from "../environment/objects.ts";
import type { ClusterSide, Environment, SharedEnvironment } from "../environment/scenario.ts";

export const FINALIZER = "service.kubernetes.io/load-balancer-cleanup";
export const EXCLUDED = "node.kubernetes.io/exclude-from-external-load-balancers";
export const LEAVING: Taint = {
  key: "ToBeDeletedByClusterAutoscaler",
  value: "1",
  effect: "NoSchedule",
};
export const HTTP = { name: "http", protocol: "TCP", port: 80, targetPort: 8080 };

export interface ServiceOptions {
  readonly spec?: object;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

/** Creates a Service of type LoadBalancer with one port by default. */
export function createService(
  { kube }: ClusterSide,
  name: string,
  { spec = {}, annotations = {}, finalizers = [] }: ServiceOptions = {},
): Promise<Service> {
  return kube.create<Service>(SERVICES, {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, annotations, finalizers },
    spec: { type: "LoadBalancer", selector: { app: name }, ports: [HTTP], ...spec },
  });
}

/** Returns the status with which the API refuses it; undefined if it is accepted. */
export function refusalOf(writing: Promise<unknown>): Promise<number | undefined> {
  return writing.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof KubeFailure) return error.status;
      throw error;
    },
  );
}

export function editService({ kube }: ClusterSide, name: string, body: object): Promise<Service> {
  return kube.patch<Service>(`${SERVICES}/${name}`, "merge", body);
}

export function editSpec(env: ClusterSide, name: string, spec: object): Promise<Service> {
  return editService(env, name, { spec });
}

export function annotate(
  env: ClusterSide,
  name: string,
  annotations: Readonly<Record<string, string | null>>,
): Promise<Service> {
  return editService(env, name, { metadata: { annotations } });
}

export function deleteService({ kube }: ClusterSide, name: string): Promise<unknown> {
  return kube.delete(`${SERVICES}/${name}`);
}

export function seenService({ services }: ClusterSide, name: string): Service {
  const service = services.get(name);
  demand(service !== undefined, `Service ${name} is not there`);
  return service;
}

export function untilService(
  env: ClusterSide,
  name: string,
  { check, withinMs = 30_000 }: { check: (service: Service) => void; withinMs?: number },
): Promise<Service> {
  return eventually(
    () => {
      const service = seenService(env, name);
      check(service);
      return service;
    },
    { withinMs, on: env.services },
  );
}

/** Waits until our condition on the Service has this status; returns its message. */
export async function untilReady(env: ClusterSide, name: string, status: string): Promise<string> {
  const service = await untilService(env, name, {
    check: (seen) => same(readyOf(seen)?.status, status, `the condition of ${name}`),
  });
  return readyOf(service)?.message ?? "";
}

function readyOf({ status }: Service) {
  return status.conditions?.find(({ type }) => type === "cloudwright.io/LoadBalancerReady");
}

export function serviceGone(env: ClusterSide, name: string, withinMs = 30_000): Promise<void> {
  return eventually(
    () => demand(env.services.get(name) === undefined, `Service ${name} is still there`),
    { withinMs, on: env.services },
  );
}

export function finalizersOf({ metadata }: Service): readonly string[] {
  return metadata.finalizers ?? [];
}

export function ingressOf({ status }: Service): readonly Ingress[] {
  return status.loadBalancer?.ingress ?? [];
}

export function hasFinalizer(service: Service): void {
  demand(finalizersOf(service).includes(FINALIZER), `${service.metadata.name} has no finalizer`);
}

/** Waits until it has the finalizer and its address. */
export function served(env: ClusterSide, name: string, withinMs = 30_000): Promise<Service> {
  return untilService(env, name, {
    withinMs,
    check: (service) => {
      hasFinalizer(service);
      demand(ingressOf(service).length > 0, `${name} has no address yet`);
    },
  });
}

/** Returns the Service's name in the cloud's tags. */
export function key(name: string): string {
  return `default/${name}`;
}

export function loadBalancersFor(env: Environment, name: string): Promise<readonly LoadBalancer[]> {
  return loadBalancersOf(env.cloud, key(name));
}

/** Returns the Service's only load balancer in the cloud. */
export async function loadBalancerFor(env: Environment, name: string): Promise<LoadBalancer> {
  const all = await loadBalancersFor(env, name);
  const [only] = all;
  demand(
    only !== undefined && all.length === 1,
    `the cloud has ${all.length} load balancers of ${name}`,
  );
  return only;
}

export function untilLoadBalancer(
  env: Environment,
  name: string,
  { check, withinMs = 30_000 }: { check: (loadBalancer: LoadBalancer) => void; withinMs?: number },
): Promise<LoadBalancer> {
  return eventually(
    async () => {
      const loadBalancer = await loadBalancerFor(env, name);
      check(loadBalancer);
      return loadBalancer;
    },
    { withinMs },
  );
}

export function noLoadBalancer(env: Environment, name: string, withinMs = 30_000): Promise<void> {
  return eventually(
    async () => {
      const all = await loadBalancersFor(env, name);
      demand(all.length === 0, `the cloud has ${all.length} load balancers of ${name}`);
    },
    { withinMs },
  );
}

/** Creates a Service with its load balancer, with at least one node behind it. */
export async function preparedService(
  env: SharedEnvironment,
  name: string,
  options: ServiceOptions = {},
): Promise<Service> {
  await standingMember(env);
  await createService(env, name, options);
  return served(env, name);
}

const standing = new WeakMap<object, Promise<unknown>>();

/** Returns the node for all rows of a group that need any member; it is created once and stays. */
export function standingMember(env: SharedEnvironment): Promise<unknown> {
  const known = standing.get(env) ?? createMember(env, "s-00");
  standing.set(env, known);
  return known;
}

export interface MemberOptions {
  readonly labels?: Record<string, string>;
  readonly taints?: Taint[];
  readonly ready?: "True" | "False";
  readonly finalizers?: readonly string[];
}

/** Creates an initialised node with its machine; returns the machine's id. */
export async function createMember(
  env: Environment,
  name: string,
  options: MemberOptions = {},
): Promise<string> {
  const { id } = await createInstance(env, name, { addresses: [internal("10.90.0.1")] });
  await createNode(env, name, {
    taints: options.taints ?? [],
    providerID: `sandbox://${id}`,
    labels: options.labels ?? {},
    ready: options.ready ?? "True",
  });
  return id;
}

export function labelNode(
  { kube }: ClusterSide,
  name: string,
  labels: Readonly<Record<string, string | null>>,
): Promise<Node> {
  return kube.patch<Node>(`/api/v1/nodes/${name}`, "merge", { metadata: { labels } });
}

/** Returns the requests that change something about this Service's load balancer in the cloud, as received by the relay. */
export function changesOf(
  { relay }: Pick<SharedEnvironment, "relay">,
  name: string,
): readonly RelayedCall[] {
  return relay.calls.filter(({ method, service }) => method !== "GET" && service === key(name));
}

/** Upstream's UpdateLoadBalancer: reports whether a change concerns only the members. */
export function isMembersOnly({ method, body }: RelayedCall): boolean {
  return method === "PATCH" && Object.keys(body ?? {}).join() === "members";
}

export function isCreation({ method, path }: RelayedCall): boolean {
  return method === "POST" && path === "/v1/load-balancers";
}

export function isDeletion({ method, path }: RelayedCall): boolean {
  return method === "DELETE" && path.startsWith("/v1/load-balancers/");
}

/** A rule of the relay for requests of this kind about this Service. */
export function about(
  name: string,
  isKind: (call: RelayedCall) => boolean,
): (call: RelayedCall) => boolean {
  return (call) => call.service === key(name) && isKind(call);
}

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startController } from "../../harness/controller.ts";
import { Kube, type KubeEvent, type Node, type Taint, View } from "../../harness/kube.ts";
import { SERVICES, type Service } from "../../harness/service.ts";
import { always, demand, eventually } from "../../harness/wait.ts";
import { FakeState, type Manner } from "./state.ts";

/** A controller with upstream's fake in a process. */
export interface FakeEnvironment {
  readonly kube: Kube;
  readonly cloud: FakeState;
  readonly nodes: View<Node>;
  readonly services: View<Service>;
  readonly events: View<KubeEvent>;
  close(): Promise<void>;
}

export interface FakeOptions {
  readonly dir: string;
  readonly kubeconfig: string;
  readonly providerFolder: string;
  readonly manner: Manner;
}

/** A scenario of spec/90, which has its number. */
export interface FakeRow {
  readonly id: string;
  readonly title: string;
  run(env: FakeEnvironment): Promise<unknown>;
}

const UNINITIALISED = "node.cloudprovider.kubernetes.io/uninitialized";
export const SHUTDOWN = "node.cloudprovider.kubernetes.io/shutdown";
const POD_RANGE = "10.120.0.0/16";

export async function openFake(options: FakeOptions): Promise<FakeEnvironment> {
  const { dir, kubeconfig, providerFolder, manner } = options;
  mkdirSync(dir, { recursive: true });
  const state = join(dir, "state.json");
  const cloud = new FakeState(state, manner);
  // A cloud without any machine proves nothing by the absence of one.
  cloud.put("other");
  const config = join(dir, "cloud.json");
  writeFileSync(config, JSON.stringify({ state }));
  const kube = new Kube(kubeconfig);
  const controller = await startController({
    ...{ kubeconfig, cloudConfig: config, dir },
    flags: {
      ...{ "--cloud-provider": "fake", "--provider-path": providerFolder },
      ...{ "--cluster-cidr": POD_RANGE, "--route-reconciliation-period": "1s" },
      ...{ "--node-monitor-period": "1s", "--node-status-update-frequency": "2s" },
      // By its name alone a machine is gone only for a Node that is older than this.
      "--new-node-grace": "5s",
    },
    env: {},
  });
  const nodes = await View.open<Node>(kube, "/api/v1/nodes");
  const services = await View.open<Service>(kube, SERVICES);
  const events = await View.open<KubeEvent>(kube, "/api/v1/namespaces/default/events");
  const close = async () => {
    for (const view of [nodes, services, events]) view.close();
    await controller.stop();
    await kube.close();
  };
  const env = { kube, cloud, nodes, services, events, close };
  try {
    await register(env, "other");
    await initialised(env, "other");
    return env;
  } catch (error) {
    await close();
    throw error;
  }
}

export interface Joining {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly providerID?: string;
  readonly podCIDR?: string;
  /** Whether it waits for the cloud, as kubelets register Nodes. */
  readonly isNew?: boolean;
  readonly ready?: "True" | "False" | "Unknown";
}

/** Registers a Node as its kubelet does. */
export async function register(
  { kube }: FakeEnvironment,
  name: string,
  joining: Joining = {},
): Promise<void> {
  const { annotations = {}, labels = {}, providerID, podCIDR, isNew = true } = joining;
  const taints = isNew ? [{ key: UNINITIALISED, value: "true", effect: "NoSchedule" }] : [];
  await kube.create("/api/v1/nodes", {
    ...{ apiVersion: "v1", kind: "Node", metadata: { name, annotations, labels } },
    spec: {
      taints,
      ...(providerID === undefined ? {} : { providerID }),
      ...(podCIDR === undefined ? {} : { podCIDR, podCIDRs: [podCIDR] }),
    },
  });
  await kube.patch(`/api/v1/nodes/${name}/status`, "strategic", {
    status: { addresses: [{ type: "Hostname", address: name }] },
  });
  await beReady({ kube }, name, joining.ready ?? "True");
}

export async function beReady(
  { kube }: Pick<FakeEnvironment, "kube">,
  name: string,
  status: "True" | "False" | "Unknown",
): Promise<void> {
  const condition = { type: "Ready", status, reason: "KubeletSays", message: "" };
  await kube.patch(`/api/v1/nodes/${name}/status`, "strategic", {
    status: { conditions: [condition] },
  });
}

/** Resolves with the Node once the check passes. */
export async function untilNode(
  { nodes }: FakeEnvironment,
  name: string,
  check: (node: Node) => void,
): Promise<Node> {
  return eventually(
    () => {
      const node = nodes.get(name);
      demand(node !== undefined, `${name} is not there`);
      check(node);
      return node;
    },
    { withinMs: 60_000, on: nodes },
  );
}

export function initialised(env: FakeEnvironment, name: string): Promise<Node> {
  return untilNode(env, name, (node) => demand(!isWaiting(node), `${name} is not initialised`));
}

/** Two passes of what looks at Nodes, and more. */
const A_WHILE_MS = 5_000;

/** The check holds the whole time. */
export function holds(env: FakeEnvironment, check: () => void): Promise<void> {
  return always(check, { forMs: A_WHILE_MS, on: env.nodes });
}

export function staysWaiting(env: FakeEnvironment, name: string): Promise<void> {
  return holds(env, () => {
    const node = env.nodes.get(name);
    demand(node === undefined || isWaiting(node), `${name} was initialised`);
    demand(labelsOf(node).length === 0, `${name} has the labels ${labelsOf(node).join()}`);
  });
}

export function isWaiting(node: Node): boolean {
  return taintsOf(node).includes(UNINITIALISED);
}

export function taintsOf(node: Node | undefined): readonly string[] {
  return (node?.spec.taints ?? []).map(({ key }: Taint) => key);
}

/** What the cloud says of a Node: `topology.kubernetes.io/zone=z1`. */
export function labelsOf(node: Node | undefined): readonly string[] {
  return Object.entries(node?.metadata.labels ?? {})
    .filter(([key]) => /topology|instance-type|failure-domain/.test(key))
    .map(([key, value]) => `${key}=${value}`)
    .sort();
}

export function addressesOf(node: Node | undefined): readonly string[] {
  return (node?.status.addresses ?? []).map(({ type, address }) => `${type} ${address}`);
}

export async function untilGone({ nodes }: FakeEnvironment, name: string): Promise<void> {
  await eventually(() => demand(nodes.get(name) === undefined, `${name} is still there`), {
    withinMs: 60_000,
    on: nodes,
  });
}

/** Resolves with the event of this reason about the object. */
export function untilEvent({ events }: FakeEnvironment, name: string, reason: string) {
  return eventually(
    () => {
      const about = events.all().filter(({ involvedObject }) => involvedObject.name === name);
      const found = about.find((event) => event.reason === reason);
      demand(found !== undefined, `of ${name} is said ${about.map((one) => one.reason).join()}`);
      return found;
    },
    { withinMs: 60_000, on: events },
  );
}

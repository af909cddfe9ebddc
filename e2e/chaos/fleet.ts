import type { Cloud, Instance } from "../harness/cloud.ts";
import type { Kube, Node, View } from "../harness/kube.ts";
import { demand, eventually, same } from "../harness/wait.ts";

const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";

/** Instances in the cloud and the nodes that their kubelets would register. */
export async function makeInstances(
  cloud: Cloud,
  names: readonly string[],
): Promise<Map<string, Instance>> {
  const made = new Map<string, Instance>();
  for (let from = 0; from < names.length; from += 50) {
    const some = names.slice(from, from + 50);
    const instances = await Promise.all(
      some.map((name) => cloud.put({ name, type: "m1", zone: "z1", region: "r1" })),
    );
    for (const instance of instances) made.set(instance.name, instance);
  }
  return made;
}

export async function registerNodes(
  kube: Kube,
  names: readonly string[],
  ready: "True" | "False" = "True",
): Promise<void> {
  for (let from = 0; from < names.length; from += 50) {
    await Promise.all(names.slice(from, from + 50).map((name) => registerNode(kube, name, ready)));
  }
}

/** Waits until every node is as its instance says, and untainted. */
export function allRight(
  nodes: View<Node>,
  instances: ReadonlyMap<string, Instance>,
): Promise<void> {
  return eventually(
    () => {
      for (const [name, instance] of instances) right(nodes.get(name), instance);
    },
    { withinMs: 90_000, on: nodes },
  );
}

/** Node names of a fault's own, `prefix-0`, `prefix-1`, … */
export function namesOf(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

function right(node: Node | undefined, instance: Instance): void {
  demand(node !== undefined, `node ${instance.name} is not there`);
  const taints = (node.spec.taints ?? []).map(({ key }) => key);
  demand(!taints.includes(UNINITIALIZED), `node ${instance.name} is still tainted`);
  same(node.spec.providerID, `sandbox://${instance.id}`, `the provider ID of ${instance.name}`);
  same(
    node.metadata.labels?.["topology.kubernetes.io/zone"],
    instance.zone,
    `the zone of ${instance.name}`,
  );
  const addresses = (node.status.addresses ?? []).map(({ address }) => address);
  for (const { address } of instance.addresses) {
    demand(addresses.includes(address), `node ${instance.name} lacks the address ${address}`);
  }
}

async function registerNode(kube: Kube, name: string, ready: "True" | "False"): Promise<void> {
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  await kube.create("/api/v1/nodes", {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/hostname": name } },
    spec: { taints: [{ key: UNINITIALIZED, value: "true", effect: "NoSchedule" }] },
    status: {
      addresses: [{ type: "Hostname", address: name }],
      conditions: [
        {
          type: "Ready",
          status: ready,
          reason: "Registered",
          message: "",
          lastHeartbeatTime: now,
          lastTransitionTime: now,
        },
      ],
    },
  });
}

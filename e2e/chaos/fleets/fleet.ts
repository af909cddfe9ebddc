import type { Cloud, Instance } from "../../harness/cloud.ts";
import { type Kube, KubeFailure, type Node, View } from "../../harness/kube.ts";
import { demand, eventually, same } from "../../harness/wait.ts";

const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";
export const EXCLUDED = "node.kubernetes.io/exclude-from-external-load-balancers";
const AT_ONCE = 50;

interface Member {
  readonly instance: Instance;
  /** Of the Node as its kubelet registered it: another one would have been deleted in between. */
  readonly uid: string;
}

export interface FleetParts {
  readonly kube: Kube;
  readonly cloud: Cloud;
}

/** The machines and nodes of a fault: which there are to be, and whether there are exactly these, each as its machine is. */
export class Fleet {
  readonly nodes: View<Node>;
  readonly #context: FleetParts;
  readonly #members = new Map<string, Member>();
  readonly #lost = new Set<string>();

  constructor(parts: FleetParts, nodes: View<Node>) {
    this.#context = parts;
    this.nodes = nodes;
  }

  static async open(parts: FleetParts): Promise<Fleet> {
    return new Fleet(parts, await View.open<Node>(parts.kube, "/api/v1/nodes"));
  }

  /** Names of all nodes that were ever registered. */
  get everyName(): string[] {
    return [...this.#members.keys(), ...this.#lost];
  }

  get names(): string[] {
    return [...this.#members.keys()];
  }

  /** Whose machines went, so that it is the product's to delete them. */
  get lostNames(): ReadonlySet<string> {
    return this.#lost;
  }

  /** Makes machines and registers what their kubelets would. `managed: false`: they are said to be somebody else's. */
  async join(names: readonly string[], { managed = true } = {}): Promise<void> {
    for (let from = 0; from < names.length; from += AT_ONCE) {
      const some = names.slice(from, from + AT_ONCE);
      await Promise.all(some.map((name) => this.#joinOne(name, managed)));
    }
  }

  /** The machines of these are said to be ours from now on. */
  async own(names: readonly string[]): Promise<void> {
    for (const name of names)
      await this.#context.cloud.change(this.#member(name).instance.id, { managed: true });
  }

  /**
   * Their machines go for good, and their kubelets fall silent with them. First waits until they are initialised: a Node
   * that has never had a machine would be given the grace of a new one.
   */
  async lose(names: readonly string[]): Promise<void> {
    for (const name of names) {
      await eventually(() => right(this.nodes.get(name), this.#member(name)), {
        withinMs: 60_000,
        on: this.nodes,
      });
      const { instance } = this.#member(name);
      this.#members.delete(name);
      this.#lost.add(name);
      await this.#context.cloud.remove(instance.id);
      await this.fallSilent(name);
    }
  }

  /** Its machine stays, but it is to be behind no load balancer. */
  async exclude(name: string): Promise<void> {
    const body = { metadata: { labels: { [EXCLUDED]: "true" } } };
    await patiently(() => this.#context.kube.patch(`/api/v1/nodes/${name}`, "merge", body));
  }

  /** Somebody deletes these Nodes by hand. */
  async deleteNodes(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const { instance } = this.#member(name);
      this.#members.delete(name);
      await this.#context.cloud.remove(instance.id);
      await patiently(() => this.#context.kube.delete(`/api/v1/nodes/${name}`), 404);
    }
  }

  async fallSilent(name: string): Promise<void> {
    const status = { conditions: [ready("False", "Silent")] };
    const path = `/api/v1/nodes/${name}/status`;
    await patiently(() => this.#context.kube.patch(path, "strategic", { status }));
  }

  /** Waits until exactly the wanted nodes are there, each initialised as its machine is and the one that was registered. */
  settled(withinMs = 90_000): Promise<void> {
    return eventually(() => this.check(), { withinMs, on: this.nodes });
  }

  /** How many of them have been initialised. */
  initialised(names: readonly string[]): number {
    return names.filter((name) => {
      const node = this.nodes.get(name);
      return node !== undefined && !taintsOf(node).includes(UNINITIALIZED);
    }).length;
  }

  close(): void {
    this.nodes.close();
  }

  /** Throws with what is not as it should be. */
  check(): void {
    const there = this.nodes.all().map(({ metadata }) => metadata.name);
    const missing = this.names.filter((name) => this.nodes.get(name) === undefined);
    same(missing, [], "the nodes that were deleted wrongly");
    const late = there.filter((name) => !this.#members.has(name));
    same(late, [], "the nodes that should have been deleted");
    for (const [name, member] of this.#members) right(this.nodes.get(name), member);
  }

  async #joinOne(name: string, managed: boolean): Promise<void> {
    const facts = { type: "m1", zone: "z1", region: "r1", managed };
    const instance = await this.#context.cloud.put({ name, ...facts });
    await patiently(() => this.#context.kube.create("/api/v1/nodes", newNode(name)), 409);
    const { metadata } = await eventually(() =>
      this.#context.kube.get<Node>(`/api/v1/nodes/${name}`),
    );
    this.#members.set(name, { instance, uid: metadata.uid ?? "" });
  }

  #member(name: string): Member {
    const member = this.#members.get(name);
    if (member === undefined) throw new Error(`${name} is not one of the fleet`);
    return member;
  }
}

/** Node names of a fault's own, `prefix-0`, `prefix-1`, … */
export function namesOf(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

/** So many of them, by the dice. */
export function someOf(
  names: readonly string[],
  count: number,
  random: () => number,
): readonly string[] {
  const left = [...names];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat();
}

/** As a kubelet does while its API server is away. An answer of this status says that an earlier try had come through. */
function patiently(work: () => Promise<unknown>, doneBy?: number): Promise<unknown> {
  return eventually(() =>
    work().catch((error: unknown) => {
      if (!(error instanceof KubeFailure && error.status === doneBy)) throw error;
    }),
  );
}

function right(node: Node | undefined, { instance, uid }: Member): void {
  const { name } = instance;
  demand(node !== undefined, `node ${name} is not there`);
  same(node.metadata.uid, uid, `the UID of ${name}`);
  demand(!taintsOf(node).includes(UNINITIALIZED), `node ${name} is still tainted`);
  same(node.spec.providerID, `sandbox://${instance.id}`, `the provider ID of ${name}`);
  const zone = node.metadata.labels?.["topology.kubernetes.io/zone"];
  same(zone, instance.zone, `the zone of ${name}`);
  const addresses = (node.status.addresses ?? []).map(({ address }) => address);
  for (const { address } of instance.addresses) {
    demand(addresses.includes(address), `node ${name} lacks the address ${address}`);
  }
}

function taintsOf(node: Node): string[] {
  return (node.spec.taints ?? []).map(({ key }) => key);
}

function newNode(name: string): object {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/hostname": name } },
    spec: { taints: [{ key: UNINITIALIZED, value: "true", effect: "NoSchedule" }] },
    status: {
      addresses: [{ type: "Hostname", address: name }],
      conditions: [ready("True", "Registered")],
    },
  };
}

function ready(status: "True" | "False", reason: string): object {
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  return {
    type: "Ready",
    status,
    reason,
    message: "",
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  };
}

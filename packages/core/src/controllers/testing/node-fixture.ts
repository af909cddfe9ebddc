import type { InstanceFacts, Lookup } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { Informer, InformerEvent } from "../../kube/informer/informer-port.ts";
import { NODE_INDEXES, type Taint, UNINITIALIZED_TAINT } from "../objects/node-object.ts";
import { nameOf } from "../objects/object-meta.ts";

export const CREATED_AT = Date.parse("2026-01-01T00:00:00Z");

export const UNINITIALIZED: Taint = {
  key: UNINITIALIZED_TAINT,
  value: "true",
  effect: "NoSchedule",
};

export interface NodeShape {
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly providerID?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  /** `Missing` leaves the condition out. */
  readonly ready?: "True" | "False" | "Unknown" | "Missing";
  readonly deletionTimestamp?: string;
  readonly createdAt?: number;
  readonly podCIDRs?: readonly string[];
}

/** Returns a node like the API server's. */
export function node(shape: NodeShape = {}): Node {
  const name = shape.name ?? "n1";
  const ready = shape.ready ?? "True";
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      uid: shape.uid ?? `uid-${name}`,
      resourceVersion: shape.resourceVersion ?? "1",
      creationTimestamp: new Date(shape.createdAt ?? CREATED_AT).toISOString(),
      ...(shape.deletionTimestamp === undefined
        ? {}
        : { deletionTimestamp: shape.deletionTimestamp }),
      labels: { "kubernetes.io/hostname": name, ...shape.labels },
      annotations: { "example.org/some": "thing", ...shape.annotations },
    },
    spec: {
      ...(shape.providerID === undefined ? {} : { providerID: shape.providerID }),
      ...(shape.taints === undefined ? {} : { taints: shape.taints }),
      ...podCidrsPart(shape.podCIDRs),
    },
    status: {
      addresses: shape.addresses ?? [{ type: "Hostname", address: name }],
      conditions:
        ready === "Missing"
          ? []
          : [{ type: "Ready", status: ready, lastTransitionTime: "2026-01-01T00:00:01Z" }],
    },
  };
}

/** The API server also keeps the first one in a field of its own. */
function podCidrsPart(podCIDRs: readonly string[] = []) {
  const [podCIDR] = podCIDRs;
  return podCIDR === undefined ? {} : { podCIDR, podCIDRs };
}

/** Returns the instance of scenario N-01. */
export function facts(shape: Partial<InstanceFacts> = {}): InstanceFacts {
  return {
    providerID: "p://i-1",
    name: "n1",
    type: "m1",
    zone: "z1",
    region: "r1",
    addresses: [
      { type: "Hostname", address: "n1.cloud" },
      { type: "InternalIP", address: "10.0.0.1" },
      { type: "ExternalIP", address: "1.2.3.4" },
    ],
    additionalLabels: {},
    power: "running",
    asOf: CREATED_AT,
    ...shape,
  };
}

export function found(shape: Partial<InstanceFacts> = {}): Lookup {
  return { kind: "found", facts: facts(shape) };
}

/** An informer whose cache a test fills by hand. */
export class FakeInformer implements Informer<Node> {
  readonly synced: Promise<void> = Promise.resolve();
  readonly hasSynced = true;
  readonly #nodes = new Map<string, Node>();
  readonly #handlers = new Set<(event: InformerEvent<Node>) => void>();

  constructor(...nodes: readonly Node[]) {
    for (const one of nodes) this.#nodes.set(nameOf(one), one);
  }

  put(changed: Node): void {
    const old = this.#nodes.get(nameOf(changed));
    this.#nodes.set(nameOf(changed), changed);
    this.#notify(
      old === undefined
        ? { kind: "added", object: changed, initial: false }
        : { kind: "updated", object: changed, old },
    );
  }

  remove(name: string): void {
    const object = this.#nodes.get(name);
    this.#nodes.delete(name);
    if (object !== undefined) this.#notify({ kind: "deleted", object, final: true });
  }

  get(key: string): Node | undefined {
    return this.#nodes.get(key);
  }

  list(): readonly Node[] {
    return [...this.#nodes.values()];
  }

  byIndex(index: string, value: string): readonly Node[] {
    return this.list().filter((one) => NODE_INDEXES[index]?.(one).includes(value));
  }

  subscribe(handler: (event: InformerEvent<Node>) => void): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  silentMs(): number {
    return 0;
  }

  #notify(event: InformerEvent<Node>): void {
    for (const handler of this.#handlers) handler(event);
  }
}

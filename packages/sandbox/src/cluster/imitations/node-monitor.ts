import type { Registry } from "../registry/context.ts";
import { leases } from "../resources/lease.ts";
import { nodes } from "../resources/node.ts";
import type { Node, NodeCondition, Taint } from "../resources/node-schema.ts";
import type { StoreChange } from "../state/revision.ts";

const LEASE_NAMESPACE = "kube-node-lease";

/**
 * Imitates kube-controller-manager's node lifecycle, as far as a cloud controller notices it: a node without a heartbeat (its Lease or its
 * status) for the grace period gets Ready=Unknown, and every node's not-ready and unreachable taints follow its Ready condition. Returns a
 * function that stops it.
 */
export function monitorNodes(registry: Registry, graceMs: number): () => void {
  const monitor = new NodeMonitor(registry, graceMs);
  monitor.checkAll();
  const unlisten = registry.store.listen((change) => monitor.onChange(change));
  const timer = setInterval(() => monitor.checkAll(), Math.min(5_000, Math.max(50, graceMs / 8)));
  timer.unref();
  return () => {
    unlisten();
    clearInterval(timer);
  };
}

class NodeMonitor {
  readonly #registry: Registry;
  readonly #graceMs: number;
  /** When each node last reported, by this process's clock, as a kubelet's own clock is not trusted. */
  readonly #heardAt = new Map<string, number>();

  constructor(registry: Registry, graceMs: number) {
    this.#registry = registry;
    this.#graceMs = graceMs;
  }

  onChange(change: StoreChange): void {
    const { storage, kind, revision } = change;
    const { name = "", namespace } = revision.object.metadata;
    if (storage === leases.storage && namespace === LEASE_NAMESPACE && kind !== "deleted") {
      this.#heardAt.set(name, this.#registry.now());
    }
    if (storage !== nodes.storage) return;
    if (kind === "deleted") {
      this.#heardAt.delete(name);
      return;
    }
    if (isHeartbeat(change)) this.#heardAt.set(name, this.#registry.now());
    setImmediate(() => this.#check(name));
  }

  checkAll(): void {
    for (const { key } of this.#registry.store.list({ storage: nodes.storage, prefix: "" })
      .revisions) {
      this.#check(key);
    }
  }

  #check(name: string): void {
    const { store } = this.#registry;
    const found = store.get(nodes.storage, name);
    if (found === undefined) return;
    const node = found.object as Node;
    const heardAt = this.#heardAt.get(name) ?? this.#registry.now();
    this.#heardAt.set(name, heardAt);
    const isSilent = this.#registry.now() - heardAt >= this.#graceMs;
    const at = new Date(this.#registry.now());
    const judged = isSilent ? withUnknownConditions(node, at) : node;
    const after = withMonitoredTaints(judged, at);
    if (after !== node) store.put(nodes.storage, name, after);
  }
}

/** Reports whether the kubelet wrote the status; this monitor's own writes never make a condition known again. */
function isHeartbeat({ previous, revision }: StoreChange): boolean {
  if (previous === undefined) return true;
  return readyBeat(previous.object as Node) !== readyBeat(revision.object as Node);
}

function readyBeat(node: Node): string {
  const ready = (node.status.conditions ?? []).find(({ type }) => type === "Ready");
  return ready === undefined || ready.status === "Unknown" ? "" : JSON.stringify(ready);
}

const NOT_READY = "node.kubernetes.io/not-ready";
const UNREACHABLE = "node.kubernetes.io/unreachable";

/** The taint for each status of Ready: False is not ready, Unknown is unreachable. */
const TAINT_OF_STATUS: Readonly<Record<string, string>> = {
  False: NOT_READY,
  Unknown: UNREACHABLE,
};

/** Returns the node with the not-ready and unreachable taints for its Ready condition; the same object when nothing changes. */
function withMonitoredTaints(node: Node, at: Date): Node {
  const taints = node.spec.taints ?? [];
  const wanted = wantedTaints(node, at);
  const others = taints.filter((taint) => !isMonitored(taint));
  const present = taints.filter(isMonitored);
  const isRight =
    present.length === wanted.length && wanted.every((taint) => present.some(sameAs(taint)));
  if (isRight) return node;
  const kept = wanted.map((taint) => present.find(sameAs(taint)) ?? taint);
  const { taints: _before, ...spec } = node.spec;
  const after = [...others, ...kept];
  return { ...node, spec: after.length === 0 ? spec : { ...spec, taints: after } };
}

/** Without a Ready condition nothing is known yet: the admission's taint stays. */
function wantedTaints(node: Node, at: Date): readonly Taint[] {
  const ready = (node.status.conditions ?? []).find(({ type }) => type === "Ready");
  if (ready === undefined) return (node.spec.taints ?? []).filter(isMonitored);
  const key = TAINT_OF_STATUS[ready.status];
  if (key === undefined) return [];
  const timeAdded = `${at.toISOString().slice(0, 19)}Z`;
  return [
    { key, effect: "NoSchedule", timeAdded },
    { key, effect: "NoExecute", timeAdded },
  ];
}

function isMonitored({ key }: Taint): boolean {
  return key === NOT_READY || key === UNREACHABLE;
}

function sameAs(wanted: Taint): (taint: Taint) => boolean {
  return ({ key, effect }) => key === wanted.key && effect === wanted.effect;
}

/** The conditions that become unknown when a kubelet is silent; Ready comes first, as it determines the taints. */
const WATCHED = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];
const STOPPED = { reason: "NodeStatusUnknown", message: "Kubelet stopped posting node status." };
const NEVER = { reason: "NodeStatusNeverUpdated", message: "Kubelet never posted node status." };

/** Returns the node with its conditions unknown; the same object when they already are. */
function withUnknownConditions(node: Node, at: Date): Node {
  const conditions = node.status.conditions ?? [];
  const known = (type: string) => conditions.find((condition) => condition.type === type);
  if (WATCHED.every((type) => known(type)?.status === "Unknown")) return node;
  const transition = `${at.toISOString().slice(0, 19)}Z`;
  const changed = conditions.map((condition) =>
    WATCHED.includes(condition.type) ? unknown(condition, transition) : condition,
  );
  const created = node.metadata.creationTimestamp ?? transition;
  const missing = WATCHED.filter((type) => known(type) === undefined).map((type) => ({
    type,
    status: "Unknown",
    lastHeartbeatTime: created,
    lastTransitionTime: transition,
    ...NEVER,
  }));
  return { ...node, status: { ...node.status, conditions: [...changed, ...missing] } };
}

function unknown(condition: NodeCondition, transition: string): NodeCondition {
  if (condition.status === "Unknown") return condition;
  return { ...condition, status: "Unknown", lastTransitionTime: transition, ...STOPPED };
}

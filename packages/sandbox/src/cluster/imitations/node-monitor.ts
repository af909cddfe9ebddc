import type { Registry } from "../registry/context.ts";
import { leases } from "../resources/lease.ts";
import { nodes } from "../resources/node.ts";
import type { Node } from "../resources/node-schema.ts";
import type { StoreChange } from "../state/revision.ts";
import { withMonitoredTaints } from "./node-taints.ts";
import { withUnknownConditions } from "./node-unknown.ts";

const LEASE_NAMESPACE = "kube-node-lease";

/**
 * kube-controller-manager's node lifecycle, as far as a cloud controller notices it: a node without a heartbeat (its Lease or
 * its status) for the grace period gets Ready=Unknown, and every node's not-ready and unreachable taints follow its Ready
 * condition. Answers how to stop.
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
  /** When each node was heard of last, by this process's clock: a kubelet's own clock is not trusted. */
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

/** A status that the kubelet wrote; what this monitor writes never makes a condition known again. */
function isHeartbeat({ previous, revision }: StoreChange): boolean {
  if (previous === undefined) return true;
  return readyBeat(previous.object as Node) !== readyBeat(revision.object as Node);
}

function readyBeat(node: Node): string {
  const ready = (node.status.conditions ?? []).find(({ type }) => type === "Ready");
  return ready === undefined || ready.status === "Unknown" ? "" : JSON.stringify(ready);
}

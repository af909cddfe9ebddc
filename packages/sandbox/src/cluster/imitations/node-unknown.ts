import type { Node, NodeCondition } from "../resources/node-schema.ts";

/** The conditions that a silent kubelet leaves unknown; Ready comes first, its word decides the taints. */
const WATCHED = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];
const STOPPED = { reason: "NodeStatusUnknown", message: "Kubelet stopped posting node status." };
const NEVER = { reason: "NodeStatusNeverUpdated", message: "Kubelet never posted node status." };

/** The node with its conditions unknown; the very node when they are already. */
export function withUnknownConditions(node: Node, at: Date): Node {
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

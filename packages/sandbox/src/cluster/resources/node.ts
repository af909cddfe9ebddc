import { ageColumn, nameColumn } from "../tables/common-columns.ts";
import { byCodeUnit } from "../text-order.ts";
import { defineResource } from "./define-resource.ts";
import type { Column } from "./definition.ts";
import { nodeProblems, nodeUpdateProblems } from "./node-rules.ts";
import { type Node, nodeSchema, type Taint } from "./node-schema.ts";

const nodeColumns: readonly Column<Node>[] = [
  nameColumn,
  ["Status", "The status of the node", status],
  ["Roles", "The roles of the node", roles],
  ageColumn,
  [
    "Version",
    "The kubelet version that the node reports.",
    (node) => node.status.nodeInfo.kubeletVersion,
  ],
  [
    "Internal-IP",
    "The first address of type InternalIP.",
    (node) => address(node, "InternalIP"),
    "wide",
  ],
  [
    "External-IP",
    "The first address of type ExternalIP.",
    (node) => address(node, "ExternalIP"),
    "wide",
  ],
  [
    "OS-Image",
    "The operating system that the node reports.",
    (node) => node.status.nodeInfo.osImage || "<unknown>",
    "wide",
  ],
  [
    "Kernel-Version",
    "The kernel version that the node reports.",
    (node) => node.status.nodeInfo.kernelVersion || "<unknown>",
    "wide",
  ],
  [
    "Container-Runtime",
    "The container runtime and its version that the node reports.",
    (node) => node.status.nodeInfo.containerRuntimeVersion || "<unknown>",
    "wide",
  ],
];

const NOT_READY: Taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

export const nodes = defineResource(
  {
    group: "",
    version: "v1",
    kind: "Node",
    plural: "nodes",
    shortNames: ["no"],
    namespaced: false,
    hasStatus: true,
  },
  {
    schema: nodeSchema,
    rules: {
      onCreate: (node) => withNotReadyTaint(withDefaults(node)),
      onUpdate: withDefaults,
      problems: nodeProblems,
      updateProblems: nodeUpdateProblems,
      fields: { "spec.unschedulable": (node) => String(node.spec.unschedulable ?? false) },
      columns: nodeColumns,
    },
  },
);

/** Taints a new node as upstream's admission TaintNodesByCondition does: it takes no pods until it is reported ready. */
function withNotReadyTaint(node: Node): Node {
  const taints = node.spec.taints ?? [];
  if (taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)) {
    return node;
  }
  return { ...node, spec: { ...node.spec, taints: [...taints, NOT_READY] } };
}

function withDefaults(node: Node): Node {
  return { ...node, spec: withBothCidrForms(node.spec), status: withAllocatable(node.status) };
}

function withBothCidrForms(spec: Node["spec"]): Node["spec"] {
  const { podCIDR, podCIDRs, ...others } = spec;
  const leads = podCIDR === undefined || podCIDRs?.[0] === podCIDR;
  const all = leads ? (podCIDRs ?? []) : [podCIDR];
  const [first] = all;
  return first === undefined ? others : { podCIDR: first, podCIDRs: all, ...others };
}

function withAllocatable(status: Node["status"]): Node["status"] {
  const { capacity, allocatable, ...others } = status;
  if (capacity === undefined || allocatable !== undefined) return status;
  return { capacity, allocatable: capacity, ...others };
}

function status(node: Node): string {
  const ready = (node.status.conditions ?? []).find(({ type }) => type === "Ready");
  const word = ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady";
  return node.spec.unschedulable === true ? `${word},SchedulingDisabled` : word;
}

const ROLE_PREFIX = "node-role.kubernetes.io/";
const ROLE_LABEL = "kubernetes.io/role";

function roles(node: Node): string {
  const found = Object.entries(node.metadata.labels ?? {}).flatMap(([key, value]) => {
    const role = key.startsWith(ROLE_PREFIX) ? key.slice(ROLE_PREFIX.length) : "";
    const named = key === ROLE_LABEL ? value : role;
    return named === "" ? [] : [named];
  });
  return [...new Set(found)].sort(byCodeUnit).join(",") || "<none>";
}

function address(node: Node, wanted: string): string {
  const found = (node.status.addresses ?? []).find(({ type }) => type === wanted);
  return found?.address ?? "<none>";
}

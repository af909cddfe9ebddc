import { ageColumn, nameColumn } from "../tables/common-columns.ts";
import { byCodeUnit } from "../text-order.ts";
import type { Column } from "./definition.ts";
import type { Node } from "./node.ts";

export const nodeColumns: readonly Column<Node>[] = [
  nameColumn,
  { name: "Status", description: "The status of the node", cell: status },
  { name: "Roles", description: "The roles of the node", cell: roles },
  ageColumn,
  {
    name: "Version",
    description: "The kubelet version that the node reports.",
    cell: (node) => node.status.nodeInfo.kubeletVersion,
  },
  {
    name: "Internal-IP",
    description: "The first address of type InternalIP.",
    priority: 1,
    cell: (node) => address(node, "InternalIP"),
  },
  {
    name: "External-IP",
    description: "The first address of type ExternalIP.",
    priority: 1,
    cell: (node) => address(node, "ExternalIP"),
  },
  {
    name: "OS-Image",
    description: "The operating system that the node reports.",
    priority: 1,
    cell: (node) => node.status.nodeInfo.osImage || "<unknown>",
  },
  {
    name: "Kernel-Version",
    description: "The kernel version that the node reports.",
    priority: 1,
    cell: (node) => node.status.nodeInfo.kernelVersion || "<unknown>",
  },
  {
    name: "Container-Runtime",
    description: "The container runtime and its version that the node reports.",
    priority: 1,
    cell: (node) => node.status.nodeInfo.containerRuntimeVersion || "<unknown>",
  },
];

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

import type { InstanceRef } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import { UNINITIALIZED_TAINT } from "../../model/taints.ts";
import { nameOf, uidOf } from "./object-meta.ts";

export { UNINITIALIZED_TAINT };

/** Set on nodes whose instance is powered off (spec/20 §1). */
export const SHUTDOWN_TAINT = "node.cloudprovider.kubernetes.io/shutdown";
/** The kubelet's own addresses (spec/10 §6). */
export const PROVIDED_NODE_IP_ANNOTATION = "alpha.kubernetes.io/provided-node-ip";

/** Lists the labels of a node that we own: comma separated, sorted. Removing it opts the node out of label upkeep. */
export const CLOUD_LABELS_ANNOTATION = "cloudwright.io/cloud-labels";

/** The indexes of the node informer that both node loops need: by provider ID, and by the provider in that ID. */
export const NODES_BY_PROVIDER_ID = "providerID";
export const NODES_BY_PROVIDER = "provider";
export const NODE_INDEXES: Readonly<Record<string, (node: Node) => readonly string[]>> = {
  [NODES_BY_PROVIDER_ID]: (node) => {
    const providerID = providerIdOf(node);
    return providerID === undefined ? [] : [providerID];
  },
  [NODES_BY_PROVIDER]: (node) => {
    const scheme = schemeOf(providerIdOf(node) ?? "");
    return scheme === undefined ? [] : [scheme];
  },
};

/** A taint as it is in a plan and in a patch. */
export type Taint = {
  readonly key: string;
  readonly effect: string;
  readonly value?: string;
  readonly timeAdded?: string;
};

export type ReadyStatus = "True" | "False" | "Unknown" | "Missing";

export function refOf(node: Node): ObjectRef {
  return { kind: "Node", name: nameOf(node), uid: uidOf(node) };
}

/** The API represents a missing provider ID as an empty string. */
export function providerIdOf(node: Node): string | undefined {
  const providerID = node.spec?.providerID;
  return providerID === "" ? undefined : providerID;
}

/**
 * Returns whose machine a provider ID names: by its scheme another cloud's or, without a scheme, no cloud's. Undefined if it
 * may be this provider's or is not set yet.
 */
export function otherOwnerOf(node: Node, provider: string): "foreign" | "malformed" | undefined {
  const providerID = providerIdOf(node);
  if (providerID === undefined) return undefined;
  const scheme = schemeOf(providerID);
  if (scheme === undefined) return "malformed";
  return scheme === provider ? undefined : "foreign";
}

function schemeOf(providerID: string): string | undefined {
  return /^([^:]+):\/\//.exec(providerID)?.[1];
}

export function instanceRefOf(node: Node): InstanceRef {
  return { nodeName: nameOf(node), providerID: providerIdOf(node) };
}

export function taintsOf(node: Node): readonly Taint[] {
  return node.spec?.taints ?? [];
}

export function hasTaint(node: Node, key: string): boolean {
  return taintsOf(node).some((taint) => taint.key === key);
}

export function isUninitialised(node: Node): boolean {
  return hasTaint(node, UNINITIALIZED_TAINT);
}

export function readyOf(node: Node): { readonly status: ReadyStatus; readonly since?: number } {
  const condition = readyCondition(node);
  const status = statusOf(condition);
  const since = Date.parse(condition?.lastTransitionTime ?? "");
  return Number.isNaN(since) ? { status } : { status, since };
}

/** Does not parse the time, which is costly: for code that runs for each node at each watch event. */
export function readyStatusOf(node: Node): ReadyStatus {
  return statusOf(readyCondition(node));
}

function statusOf(condition: ReturnType<typeof readyCondition>): ReadyStatus {
  if (condition === undefined) return "Missing";
  return READY_STATUSES.find((known) => known === condition.status) ?? "Unknown";
}

function readyCondition(node: Node) {
  return node.status?.conditions?.find(({ type }) => type === "Ready");
}

const READY_STATUSES = ["True", "False", "Unknown"] as const;

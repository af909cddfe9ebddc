import type { Node } from "../../kube/client.ts";
import { isNodeAddress, type NodeAddress } from "../../model/node-record.ts";
import type { Reason } from "../../model/reason.ts";
import { PROVIDED_NODE_IP_ANNOTATION } from "../node-object.ts";
import { annotationOf } from "../object-meta.ts";
import { namedAddresses, preferProvidedIPs } from "./provided-node-ip.ts";

/** The addresses that a node should have; *missing* when the cloud lists none, and then those it has are kept. */
export type WantedAddresses =
  | { readonly kind: "addresses"; readonly addresses: readonly NodeAddress[] }
  | { readonly kind: "missing" }
  | {
      readonly kind: "refused";
      readonly reason: Reason;
      /** What it would be if that could be had: to be shown, never to be written. */
      readonly ideal: readonly NodeAddress[];
    };

/** Spec/10 §7 with the kubelet's host names, the provided IPs and what the API server would refuse. */
export function wantedAddresses(node: Node, cloud: readonly NodeAddress[]): WantedAddresses {
  const annotation = annotationOf(node, PROVIDED_NODE_IP_ANNOTATION);
  if (cloud.length === 0 && annotation === undefined) return { kind: "missing" };
  const all = withHostnames(cloud, addressesOf(node));
  const preferred = preferProvidedIPs(annotation, all);
  if (preferred.kind === "refused") {
    return { ...preferred, ideal: namedAddresses(annotation ?? "", all) };
  }
  const duplicate = firstDuplicate(preferred.addresses);
  if (duplicate === undefined) return preferred;
  const reason: Reason = { code: "AddressDuplicate", ...duplicate };
  return { kind: "refused", reason, ideal: withoutDuplicates(preferred.addresses) };
}

/** The node's addresses; entries of a type that Kubernetes does not know are left out. */
export function addressesOf(node: Node): readonly NodeAddress[] {
  return (node.status?.addresses ?? []).filter(isNodeAddress);
}

/** Order counts: the first InternalIP is "the" IP of a node for its readers (spec/60 §3). */
export function sameAddresses(left: readonly NodeAddress[], right: readonly NodeAddress[]) {
  return (
    left.length === right.length &&
    left.every((address, index) => keyOf(address) === keyOf(right[index]))
  );
}

function withHostnames(
  cloud: readonly NodeAddress[],
  current: readonly NodeAddress[],
): readonly NodeAddress[] {
  if (cloud.some(isHostname)) return cloud;
  return [...cloud, ...current.filter(isHostname)];
}

function isHostname({ type }: NodeAddress): boolean {
  return type === "Hostname";
}

function firstDuplicate(addresses: readonly NodeAddress[]): NodeAddress | undefined {
  const seen = new Set<string>();
  return addresses.find((address) => {
    const key = keyOf(address);
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  });
}

function withoutDuplicates(addresses: readonly NodeAddress[]): readonly NodeAddress[] {
  return [...new Map(addresses.map((address) => [keyOf(address), address])).values()];
}

function keyOf(address: NodeAddress | undefined): string {
  return address === undefined ? "" : `${address.type} ${address.address}`;
}

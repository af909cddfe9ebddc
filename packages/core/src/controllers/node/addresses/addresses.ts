import { isNodeAddress, type NodeAddress } from "@cloudwright/provider-api";
import type { Node } from "../../../kube/client.ts";
import type { Reason } from "../../../model/reason.ts";
import { PROVIDED_NODE_IP_ANNOTATION } from "../../objects/node-object.ts";
import { annotationOf } from "../../objects/object-meta.ts";
import { namedAddresses, preferProvidedIPs } from "./provided-node-ip.ts";

/**
 * The addresses that a node should have; *missing* if the cloud lists none, in which case its current ones are
 * kept.
 */
export type WantedAddresses =
  | {
      readonly kind: "addresses";
      readonly addresses: readonly NodeAddress[];
      /** How many of the first addresses the kubelet's preference puts there, one number for each IP that it names. */
      readonly preferred: readonly number[];
      /**
       * An address that the cloud lists more than once; `addresses` has it once, as the API server refuses
       * duplicates.
       */
      readonly repeated?: NodeAddress;
    }
  | { readonly kind: "missing" }
  | {
      readonly kind: "refused";
      readonly reason: Reason;
      /** The addresses if the annotation could be obeyed: for display, never written. */
      readonly ideal: readonly NodeAddress[];
    };

/**
 * Returns the addresses of spec/10 §7 with the kubelet's host names and the provided IPs, without what the API
 * server would refuse.
 */
export function wantedAddresses(node: Node, cloud: readonly NodeAddress[]): WantedAddresses {
  const annotation = annotationOf(node, PROVIDED_NODE_IP_ANNOTATION);
  if (cloud.length === 0 && annotation === undefined) return { kind: "missing" };
  const all = withoutDuplicates(withHostnames(cloud, addressesOf(node)));
  const preferred = preferProvidedIPs(annotation, all);
  if (preferred.kind === "refused") {
    return { ...preferred, ideal: namedAddresses(annotation ?? "", all) };
  }
  const repeated = firstDuplicate(cloud);
  return repeated === undefined ? preferred : { ...preferred, repeated };
}

/** Returns the node's addresses without entries of a type that Kubernetes does not know. */
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

/**
 * Reports whether a node in use has the wanted addresses. The order in which the cloud lists them may change with each
 * answer and nobody asked for it, unlike the kubelet's preference, so only the latter counts.
 */
export function hasAddresses(
  current: readonly NodeAddress[],
  {
    addresses,
    preferred,
  }: Pick<Extract<WantedAddresses, { kind: "addresses" }>, "addresses" | "preferred">,
): boolean {
  if (current.length !== addresses.length) return false;
  const ends = [...preferred, addresses.length].map((_, index, sizes) =>
    Math.min(addresses.length, sum(sizes.slice(0, index + 1))),
  );
  return ends.every((end, index) => {
    const begin = ends[index - 1] ?? 0;
    return sameAddresses(sorted(current.slice(begin, end)), sorted(addresses.slice(begin, end)));
  });
}

function sorted(addresses: readonly NodeAddress[]): readonly NodeAddress[] {
  return [...addresses].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
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

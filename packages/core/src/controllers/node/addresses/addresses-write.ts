import type { NodeAddress } from "@cloudwright/provider-api";
import type { Node } from "../../../kube/client.ts";
import type { Reason } from "../../../model/reason.ts";
import { refOf } from "../../objects/node-object.ts";
import type { AddressesWrite } from "../changes.ts";
import { addressesOf, hasAddresses, sameAddresses, type WantedAddresses } from "./addresses.ts";

/** Returns the write that gives a new node the wanted addresses, in their order; none if it has them already. */
export function firstAddressesWrite(
  node: Node,
  wanted: WantedAddresses,
): readonly AddressesWrite[] {
  if (wanted.kind !== "addresses") return [];
  if (sameAddresses(addressesOf(node), wanted.addresses)) return [];
  return [writeOf(node, wanted.addresses, { code: "Uninitialised" })];
}

/** Returns the write that gives a node in use the cloud's current addresses; none if only their order differs. */
export function changedAddressesWrite(
  node: Node,
  wanted: WantedAddresses,
): readonly AddressesWrite[] {
  if (wanted.kind !== "addresses" || hasAddresses(addressesOf(node), wanted)) return [];
  return [writeOf(node, wanted.addresses, { code: "FactsChanged", fields: ["addresses"] })];
}

function writeOf(node: Node, addresses: readonly NodeAddress[], reason: Reason): AddressesWrite {
  return {
    kind: "node.addresses.write",
    system: "cluster",
    target: refOf(node),
    before: { addresses: addressesOf(node) },
    after: { addresses },
    reason,
  };
}

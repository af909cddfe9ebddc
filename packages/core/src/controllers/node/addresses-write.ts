import type { Node } from "../../kube/client.ts";
import type { Reason } from "../../model/reason.ts";
import { refOf } from "../node-object.ts";
import { addressesOf, sameAddresses, type WantedAddresses } from "./addresses.ts";
import type { AddressesWrite } from "./changes.ts";

/** The write that gives a node the wanted addresses; none when it has them. */
export function addressesWrite(
  node: Node,
  wanted: WantedAddresses,
  reason: Reason,
): readonly AddressesWrite[] {
  if (wanted.kind !== "addresses") return [];
  const current = addressesOf(node);
  if (sameAddresses(current, wanted.addresses)) return [];
  return [
    {
      kind: "node.addresses.write",
      system: "cluster",
      target: refOf(node),
      before: { addresses: current },
      after: { addresses: wanted.addresses },
      reason,
    },
  ];
}

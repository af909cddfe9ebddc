import type { NodeRow } from "@cloudwright/store/views/views";

/** Returns the IP addresses of a node for its column and its file. */
export function addressesText({ addresses: all }: Pick<NodeRow, "addresses">): string {
  return all
    .filter(({ type }) => type.endsWith("IP"))
    .map(({ address }) => address)
    .join(", ");
}

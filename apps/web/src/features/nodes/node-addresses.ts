import type { NodeRow } from "@cloudwright/store/views/views";

/** The IP addresses of a node, as its column and its file have them. */
export function addressesText({ addresses: all }: Pick<NodeRow, "addresses">): string {
  return all
    .filter(({ type }) => type.endsWith("IP"))
    .map(({ address }) => address)
    .join(", ");
}

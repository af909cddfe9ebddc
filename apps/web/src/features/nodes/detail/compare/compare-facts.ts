import { t, worded } from "@cloudwright/core/model/language/text";
import type { AddressRecord, NodeFacts } from "@cloudwright/core/model/records/node-record";

export interface FactRow {
  readonly id: string;
  readonly label: string;
  readonly cloud: string | undefined;
  readonly node: string | undefined;
  readonly wanted: string | undefined;
  /** The node lacks what we want it to have. */
  readonly differs: boolean;
}

export interface FactSources {
  readonly cloud: NodeFacts | undefined;
  readonly node: NodeFacts | undefined;
  readonly wanted: NodeFacts | undefined;
}

/** Returns the cloud's value, the node's value and the desired value, fact by fact; differences come first. */
export function compareFacts(sources: FactSources): readonly FactRow[] {
  const rows = [...plainRows(sources), ...addressRows(sources), ...labelRows(sources)];
  return [...rows.filter((row) => row.differs), ...rows.filter((row) => !row.differs)];
}

const PLAIN = ["providerID", "instanceType", "zone", "region", "power"] as const;
const PLAIN_LABELS: Readonly<Record<(typeof PLAIN)[number], string>> = worded({
  providerID: () => t`Provider ID`,
  instanceType: () => t`Instance type`,
  zone: () => t`Zone`,
  region: () => t`Region`,
  power: () => t`Power`,
});

const ADDRESS_TYPES: readonly AddressRecord["type"][] = [
  "InternalIP",
  "ExternalIP",
  "Hostname",
  "InternalDNS",
  "ExternalDNS",
];

function plainRows({ cloud, node, wanted }: FactSources): readonly FactRow[] {
  return PLAIN.map((field) =>
    row({
      id: field,
      label: PLAIN_LABELS[field],
      cloud: cloud?.[field],
      node: node?.[field],
      // The cloud decides on power; the node has no such field that we could write.
      wanted: field === "power" ? undefined : wanted?.[field],
    }),
  ).filter(isKnown);
}

function addressRows({ cloud, node, wanted }: FactSources): readonly FactRow[] {
  return ADDRESS_TYPES.map((type) =>
    row({
      id: `address-${type}`,
      label: type,
      cloud: addressesOf(cloud, type),
      node: addressesOf(node, type),
      wanted: addressesOf(wanted, type),
    }),
  ).filter(isKnown);
}

function labelRows({ cloud, node, wanted }: FactSources): readonly FactRow[] {
  const ours = new Set([...Object.keys(cloud?.labels ?? {}), ...Object.keys(wanted?.labels ?? {})]);
  return [...ours]
    .sort((left, right) => left.localeCompare(right))
    .map((key) =>
      row({
        id: `label-${key}`,
        label: key,
        cloud: cloud?.labels[key],
        node: node?.labels[key],
        wanted: wanted?.labels[key],
      }),
    );
}

function row(fact: Omit<FactRow, "differs">): FactRow {
  return { ...fact, differs: fact.wanted !== undefined && fact.wanted !== fact.node };
}

function isKnown({ cloud, node, wanted }: FactRow): boolean {
  return cloud !== undefined || node !== undefined || wanted !== undefined;
}

function addressesOf(
  facts: NodeFacts | undefined,
  type: AddressRecord["type"],
): string | undefined {
  const found = facts?.addresses.filter((address) => address.type === type) ?? [];
  return found.length === 0 ? undefined : found.map(({ address }) => address).join(", ");
}

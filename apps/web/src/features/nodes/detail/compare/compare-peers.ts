import { t } from "@cloudwright/core/model/language/text";
import type { NodeDetail } from "@cloudwright/store/views/node-detail";

export interface PeerFact {
  readonly label: string;
  readonly node: string;
  readonly peer: string;
  readonly differs: boolean;
}

/** Returns the facts that two nodes of one type should share; differences come first. Facts that are unique to each node are left out. */
export function comparePeers(node: NodeDetail, peer: NodeDetail): readonly PeerFact[] {
  const [left, right] = [factsOf(node), factsOf(peer)];
  const labels = [...new Set([...left.keys(), ...right.keys()])];
  const rows = labels.map((label): PeerFact => {
    const [own, other] = [left.get(label) ?? "", right.get(label) ?? ""];
    return { label, node: own, peer: other, differs: own !== other };
  });
  return [...rows.filter((row) => row.differs), ...rows.filter((row) => !row.differs)];
}

/** Unique to each machine. */
const OWN_LABELS = new Set(["kubernetes.io/hostname"]);

function factsOf(detail: NodeDetail): ReadonlyMap<string, string> {
  return new Map([...plainFacts(detail), ...routeFacts(detail), ...labelFacts(detail)]);
}

type Entry = readonly [label: string, value: string];

function plainFacts({ node, cloud, ready, kubeletVersion, taints }: NodeDetail): readonly Entry[] {
  return [
    [t`Ready`, ready?.status ?? ""],
    [t`Taints`, listed(taints.map(({ key, effect }) => `${key}:${effect}`))],
    [t`Provider ID`, node?.providerID === undefined ? "" : t`set`],
    [t`Address types`, listed(node?.addresses.map(({ type }) => type) ?? [])],
    [t`Power`, cloud?.power ?? ""],
    [t`Kubelet`, kubeletVersion ?? ""],
    [t`Zone`, node?.zone ?? cloud?.zone ?? ""],
    [t`Region`, node?.region ?? cloud?.region ?? ""],
  ];
}

function routeFacts({ routes }: NodeDetail): readonly Entry[] {
  if (routes === undefined) return [];
  const kept = routes.cells.filter(({ verdict }) => verdict === "keep").length;
  return [
    [t`Routes in sync`, t`${kept} of ${routes.cells.length}`],
    ["NetworkUnavailable", routes.condition?.status ?? ""],
  ];
}

function labelFacts({ node }: NodeDetail): readonly Entry[] {
  const entries = Object.entries(node?.labels ?? {}).filter(([key]) => !OWN_LABELS.has(key));
  return entries.toSorted(([left], [right]) => left.localeCompare(right));
}

function listed(texts: readonly string[]): string {
  return [...new Set(texts)].toSorted((left, right) => left.localeCompare(right)).join(", ");
}

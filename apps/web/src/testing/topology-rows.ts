import type {
  TopologyNode,
  TopologyNodesColumns,
  TopologyService,
} from "@cloudwright/store/views/topology";

export function topologyNode(name: string, over: Partial<TopologyNode> = {}): TopologyNode {
  return { name, state: "ok", since: 0, zone: "z1", type: "m5.large", ...over };
}

/** Returns a healthy Service with two nodes behind it. */
export function topologyService(
  name: string,
  over: Partial<TopologyService> = {},
): TopologyService {
  return {
    ...{ name, state: "ok", since: 0, drift: "inStep", others: [] },
    loadBalancer: { id: "lb-1", type: "network", state: "active", addresses: ["203.0.113.7"] },
    listeners: [{ name: "https", port: 443, protocol: "TCP", nodePort: 31_443, differs: false }],
    members: { in: 2, soon: 0, leaving: 0, out: 0 },
    ...over,
  };
}

/** What the server sends for these nodes. */
export function topologyNodesColumns(nodes: readonly TopologyNode[]): TopologyNodesColumns {
  const words = [...new Set(nodes.flatMap(({ zone, type }) => [zone ?? [], type ?? []].flat()))];
  return {
    words,
    names: nodes.map(({ name }) => name),
    states: nodes.map(({ state }) => state),
    since: nodes.map(({ since }) => since),
    zones: nodes.map(({ zone }) => words.indexOf(zone ?? "")),
    types: nodes.map(({ type }) => words.indexOf(type ?? "")),
    reasons: nodes.map(({ reason }) => reason ?? null),
    isCut: false,
  };
}

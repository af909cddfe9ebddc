import type { TopologyNode, TopologyService } from "@cloudwright/store/views/topology";

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

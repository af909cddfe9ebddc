import { describe, expect, it } from "vitest";
import { nodeDetail, nodeFacts } from "../../../../testing/node-detail.ts";
import { comparePeers } from "./compare-peers.ts";

const READY = { status: "True", since: undefined };
const labels = { "kubernetes.io/hostname": "w-1", "topology.kubernetes.io/zone": "a" };

describe("two nodes of one type", () => {
  it("have their differences first", () => {
    const node = nodeDetail({
      node: nodeFacts({ labels: {} }),
      taints: [{ key: "node.cloudprovider.kubernetes.io/uninitialized", effect: "NoSchedule" }],
      ready: { status: "False", since: undefined },
    });
    const rows = comparePeers(node, nodeDetail({ node: nodeFacts({ labels }), ready: READY }));
    expect(rows.filter(({ differs }) => differs)).toEqual([
      { label: "Ready", node: "False", peer: "True", differs: true },
      {
        ...{ label: "Taints", node: "node.cloudprovider.kubernetes.io/uninitialized:NoSchedule" },
        ...{ peer: "", differs: true },
      },
      { label: "topology.kubernetes.io/zone", node: "", peer: "a", differs: true },
    ]);
    const firstEqual = rows.findIndex(({ differs }) => !differs);
    expect(rows.slice(firstEqual).some(({ differs }) => differs)).toBe(false);
  });

  it("do not differ in what every machine has of its own", () => {
    const other = { ...labels, "kubernetes.io/hostname": "w-2" };
    const node = nodeDetail({ node: nodeFacts({ providerID: "sandbox://w-1", labels }) });
    const peer = nodeDetail({ node: nodeFacts({ providerID: "sandbox://w-2", labels: other }) });
    expect(comparePeers(node, peer).filter(({ differs }) => differs)).toEqual([]);
  });

  it("are compared by how many of their routes are as they should be", () => {
    const cell = { cidr: "10.1.0.0/24", family: "IPv4", wantedNextHop: "x" } as const;
    const routes = (verdict: "keep" | "missing") =>
      ({ kind: "routes", cells: [{ ...cell, verdict }] }) as const;
    const rows = comparePeers(
      nodeDetail({ routes: routes("missing") }),
      nodeDetail({ routes: routes("keep") }),
    );
    expect(rows[0]).toEqual({
      ...{ label: "Routes in sync", node: "0 of 1", peer: "1 of 1", differs: true },
    });
  });
});

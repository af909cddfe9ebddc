import type { NodeLoadBalancers } from "@cloudwright/store/views/load-balancers";
import { describe, expect, it } from "vitest";
import { nodeDetail } from "../../../testing/node-detail.ts";
import { waitsForNode } from "./waits-for-node.ts";

const UNINITIALISED = {
  ...{ key: "node.cloudprovider.kubernetes.io/uninitialized", effect: "NoSchedule" },
};

function behind(
  verdict: "in" | "out" | "soon",
  why: "eligible" | "cordoned" | "withoutProviderID",
) {
  const balancer = { service: "shop/web", state: "ok", addresses: [] } as const;
  return {
    balancers: [{ ...balancer, verdict: { node: "w-1", verdict, why } }],
    ...{ behind: 0, total: 1 },
  } satisfies NodeLoadBalancers;
}

describe("what waits for a node", () => {
  it("is nothing if all is well", () => {
    const ready = { status: "True", since: undefined };
    expect(waitsForNode(nodeDetail({ ready }), behind("in", "eligible"))).toEqual([]);
    expect(waitsForNode(nodeDetail(), undefined)).toEqual([]);
  });

  it("are pods, while it is tainted or not ready", () => {
    const ready = { status: "Unknown", since: undefined };
    expect(waitsForNode(nodeDetail({ ready, taints: [UNINITIALISED] }), undefined)).toMatchObject([
      { what: "pods", name: "Ready is Unknown" },
      { what: "pods", name: "node.cloudprovider.kubernetes.io/uninitialized:NoSchedule" },
    ]);
    const preferred = { key: "x", effect: "PreferNoSchedule" };
    expect(waitsForNode(nodeDetail({ taints: [preferred] }), undefined)).toEqual([]);
  });

  it("are the pod ranges without their routes, with the reason", () => {
    const cell = { cidr: "10.1.0.0/24", family: "IPv4", wantedNextHop: "x" } as const;
    const cells = [
      { ...cell, verdict: "keep" },
      { ...cell, cidr: "10.2.0.0/24", verdict: "foreign", evidence: "owned by prod-us" },
    ] as const;
    expect(waitsForNode(nodeDetail({ routes: { kind: "routes", cells } }), undefined)).toEqual([
      {
        ...{ key: "route 10.2.0.0/24 foreign", what: "route", name: "10.2.0.0/24" },
        sentence:
          "Not ours. A foreign route has this destination; it is left untouched. owned by prod-us.",
      },
    ]);
  });

  it("are the load balancers that do not use it although nobody wants that", () => {
    expect(waitsForNode(nodeDetail(), behind("out", "withoutProviderID"))).toMatchObject([
      { what: "balancer", name: "shop/web", sentence: /no provider ID/ },
    ]);
    expect(waitsForNode(nodeDetail(), behind("soon", "eligible"))).toMatchObject([
      {
        sentence:
          "Its load balancer does not have this node yet: requested, and not yet seen in the cloud.",
      },
    ]);
    expect(waitsForNode(nodeDetail(), behind("out", "cordoned"))).toEqual([]);
  });
});

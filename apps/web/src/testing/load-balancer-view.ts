import type {
  LoadBalancerDetail,
  MemberVerdict,
} from "@cloudwright/core/model/records/load-balancer-record";
import type { LoadBalancerRow, LoadBalancerView } from "@cloudwright/store/views/load-balancers";

export function member(node: string, over: Partial<MemberVerdict> = {}): MemberVerdict {
  return { node, providerID: `sandbox://${node}`, verdict: "in", why: "eligible", ...over };
}

export function loadBalancerDetail(over: Partial<LoadBalancerDetail> = {}): LoadBalancerDetail {
  return {
    kind: "balancer",
    actual: {
      ...{ id: "lb-1", name: "a1", type: "network", addresses: ["203.0.113.7"], state: "active" },
      parts: [],
    },
    aspects: [{ name: "listener 443/TCP", desired: "to 30443", actual: "to 30443" }],
    ...{ ignored: [], members: [member("w-1")], membersIn: 1, membersWanted: 1, published: [] },
    ports: [{ name: "https", protocol: "TCP", port: 443, nodePort: 30_443 }],
    asOf: Date.now() - 14 * 60_000,
    ...over,
  };
}

export function loadBalancerRow(over: Partial<LoadBalancerRow> = {}): LoadBalancerRow {
  return {
    ...{ name: "shop/web", namespace: "shop", service: "web", uid: "u-web", state: "ok" },
    ...{ controller: "service-lb-controller", drift: "inStep", failures: 0, nextAt: undefined },
    ...{ reason: { code: "BalancerInStep", members: 1 }, since: Date.now() - 14 * 60_000 },
    ...{ updatedAt: Date.now(), lastRun: { id: "r-1", outcome: "unchanged", at: Date.now() } },
    ...{ addresses: ["203.0.113.7"], providerID: "lb-1", type: "network", changedAt: undefined },
    ...{ membersIn: 1, membersWanted: 1 },
    ...over,
  } as LoadBalancerRow;
}

/** Returns a Service with a healthy load balancer as the server does, with the given members replaced. */
export function loadBalancerView(over: Partial<LoadBalancerView> = {}): LoadBalancerView {
  return {
    ...{ row: loadBalancerRow(), createdAt: undefined, goneAt: undefined },
    ...{ detail: loadBalancerDetail(), openIntents: [] },
    ...over,
  };
}

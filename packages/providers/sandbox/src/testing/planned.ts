import type {
  LoadBalancerOwner,
  LoadBalancerPlan,
  LoadBalancerSpec,
} from "@cloudwright/provider-api";
import type { FirewallRule, LoadBalancer, ObservedLoadBalancer } from "../load-balancer.ts";
import { loadBalancerName, tagsOf } from "../owners.ts";
import { type PlanInput, planLoadBalancer } from "../plan-load-balancer.ts";

export const OWNER: LoadBalancerOwner = {
  clusterUid: "c-1",
  objectUid: "0a1b2c3d-0000-4000-8000-000000000001",
  namespace: "shop",
  name: "web",
  clusterName: "prod",
};

export const SPEC: LoadBalancerSpec = {
  owner: OWNER,
  internal: false,
  listeners: [{ name: "http", protocol: "TCP", port: 80, nodePort: 30_080 }],
  members: [],
  sourceRanges: ["0.0.0.0/0"],
  healthCheck: { protocol: "TCP", port: 30_080 },
  affinity: { kind: "none" },
  families: ["IPv4"],
  annotations: {},
};

export const RESTRICTED = { sourceRanges: ["10.0.0.0/8"] };

/** A load balancer as `SPEC` asks for it, except for the given fields. */
export function loadBalancer(more: Partial<LoadBalancer> = {}): LoadBalancer {
  return {
    id: "lb-1",
    name: loadBalancerName(OWNER),
    state: "active",
    address: "198.19.0.1",
    tags: tagsOf(OWNER),
    listeners: [{ name: "http", protocol: "TCP", port: 80, nodePort: 30_080 }],
    members: [],
    sourceRanges: ["0.0.0.0/0"],
    healthCheck: { protocol: "TCP", port: 30_080 },
    proxyProtocol: false,
    internal: false,
    affinity: { kind: "none" },
    families: ["IPv4"],
    createdAt: "2026-01-01T00:00:00.000Z",
    ...more,
  };
}

export function rule(more: Partial<FirewallRule> = {}): FirewallRule {
  return {
    id: "fw-1",
    name: loadBalancerName(OWNER),
    tags: tagsOf(OWNER),
    createdAt: "2026-01-01T00:00:00.000Z",
    ...RESTRICTED,
    ...more,
  };
}

export type There = Partial<ObservedLoadBalancer>;

export function planned(there: There, more: Partial<PlanInput> = {}): LoadBalancerPlan {
  const observed = { balancers: [], candidates: [], ...there };
  return planLoadBalancer({
    owner: OWNER,
    spec: SPEC,
    observed,
    published: { ingress: [] },
    ...more,
  });
}

export function changesOf({ changes }: LoadBalancerPlan): readonly string[] {
  return changes.map(({ action, what, target }) => `${action} ${what} ${target}`);
}

export const NAME = loadBalancerName(OWNER);

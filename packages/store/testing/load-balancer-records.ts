import type {
  LoadBalancerDetail,
  MemberVerdict,
  OrphanDetail,
} from "@cloudwright/core/model/records/load-balancer-record";
import type { ObjectState } from "@cloudwright/core/model/records/node-record";
import { objectState } from "./records.ts";

/** Returns the state of a Service `shop/web` and its load balancer, as the service controller records it. */
export function serviceState(
  name: string,
  over: Partial<ObjectState> & { readonly reported?: Partial<LoadBalancerDetail> } = {},
): ObjectState {
  const { reported, ...rest } = over;
  return objectState({
    controller: "service-lb-controller",
    name,
    reason: { code: "BalancerInStep", members: 2, address: "203.0.113.7" },
    createdAt: Date.UTC(2026, 10, 1),
    detail: loadBalancerDetail(reported),
    ...rest,
  });
}

export function loadBalancerDetail(over: Partial<LoadBalancerDetail> = {}): LoadBalancerDetail {
  const members = over.members ?? [verdict("w-1"), verdict("w-2")];
  const wanted = members.filter((member) => member.verdict !== "out").length;
  return {
    kind: "balancer",
    actual: {
      id: "lb-1",
      name: "a1f0",
      type: "network",
      addresses: ["203.0.113.7"],
      state: "active",
      parts: [],
    },
    aspects: [{ name: "listener 443/TCP", desired: "to 31443", actual: "to 31443" }],
    ignored: ["idleTimeout"],
    members,
    membersIn: members.filter((member) => member.verdict === "in").length,
    membersWanted: wanted,
    published: [{ ip: "203.0.113.7" }],
    ports: [{ name: "https", protocol: "TCP", port: 443, nodePort: 31443 }],
    ...over,
  };
}

export function verdict(node: string, over: Partial<MemberVerdict> = {}): MemberVerdict {
  return { node, verdict: "in", why: "eligible", ...over };
}

/** Returns the state of a load balancer without a Service, as the service controller records it. */
export function orphanState(
  id: string,
  over: Partial<ObjectState> & { readonly reported?: Partial<OrphanDetail> } = {},
): ObjectState {
  const { reported, ...rest } = over;
  const at = over.at ?? Date.now();
  return objectState({
    controller: "service-lb-controller",
    kind: "LoadBalancer",
    name: id,
    state: "waiting",
    reason: { code: "BalancerOrphaned", provider: "sandbox", id, service: "shop/old" },
    detail: {
      kind: "orphan",
      actual: {
        id,
        name: `a-${id}`,
        type: "network",
        addresses: ["203.0.113.99"],
        state: "active",
        parts: [],
      },
      serviceUid: "uid-old",
      service: "shop/old",
      firstSeenAt: at,
      ...reported,
    } satisfies OrphanDetail,
    ...rest,
  });
}

import { describe, expect, it } from "vitest";
import {
  annotated,
  calls,
  config,
  firstBody,
  NETWORK,
  NOTHING,
  OWNER,
  observed,
  planned,
  spec,
} from "../testing/lb-fixture.ts";

const PUBLISHED = { ingress: [{ ip: "203.0.113.5" }] };

describe("a missing load balancer", () => {
  const none = { observed: observed(NOTHING) };

  it("is created with all its parts and our mark, in one call", () => {
    const made = planned(none);
    expect(made.changes).toHaveLength(1);
    expect(firstBody(made)).toMatchObject({
      name: "kube_service_kubernetes_shop_web",
      description: "Kubernetes external service shop/web from cluster kubernetes",
      vip_subnet_id: "sub-1",
      tags: expect.arrayContaining([`cloudwright:cluster=${OWNER.clusterUid}`]),
      listeners: [
        {
          ...{ protocol: "TCP", protocol_port: 80, connection_limit: -1 },
          default_pool: {
            name: "pool_0_kube_service_kubernetes_shop_web",
            members: [
              { name: "n1", address: "10.0.0.1", protocol_port: 30_080, subnet_id: "sub-1" },
            ],
          },
        },
      ],
    });
  });

  it("is created without its parts if the provider takes one call at a time", () => {
    const conf = config("provider-requires-serial-api-calls = true");
    const [change] = planned({ ...none, config: conf }).changes;
    expect(change?.request).not.toHaveProperty("body.listeners");
  });

  it("carries its mark in the description if Octavia has no tags", () => {
    const old = observed({ ...NOTHING, minor: 4 });
    const body = firstBody(planned({ observed: old }));
    expect(body).not.toHaveProperty("tags");
    expect(body.description).toContain(`service=${OWNER.objectUid}]`);
  });

  it("has no members for a port without a node port", () => {
    const listeners = [{ name: "", protocol: "TCP", port: 80, nodePort: 0 }] as const;
    const [change] = planned({ ...none, spec: spec({ listeners }) }).changes;
    expect(change?.request).toMatchObject({
      body: { listeners: [{ default_pool: { members: [] } }] },
    });
  });

  it("is not created for a Service that names a load balancer that does not exist", () => {
    const named = annotated({ "load-balancer-id": "lb-77" });
    expect(planned({ ...none, spec: named }).next).toMatchObject({ kind: "unsupported" });
    const lost = planned({ ...none, spec: named, published: PUBLISHED });
    expect(calls(lost)).toEqual(["create load balancer"]);
  });
});

it("a floating network that does not exist makes it internal, with a notice", () => {
  const made = planned({
    spec: annotated({ "floating-network-id": "" }),
    observed: observed({ floatingIps: [] }),
  });
  expect(made.changes).toEqual([]);
  expect(made.status).toEqual({ ingress: [{ ip: "10.0.0.9", ipMode: "VIP" }] });
  expect(made.notices).toMatchObject([{ reason: "LoadBalancerForcedInternal" }]);
});

it("the floating network is the first external one with an IPv4 subnet if none is given", () => {
  const networks = {
    external: [
      { id: "v6", name: "" },
      { id: NETWORK, name: "" },
    ],
    subnets: [
      { id: "a", name: "", cidr: "", ip_version: 6, network_id: "v6", tags: [] },
      { id: "b", name: "", cidr: "", ip_version: 4, network_id: NETWORK, tags: [] },
    ],
    ports: undefined,
  };
  const { loadBalancer, ...rest } = config();
  const conf = { ...rest, loadBalancer: { ...loadBalancer, floatingNetworkId: undefined } };
  const made = planned({ config: conf, observed: observed({ floatingIps: [], networks }) });
  expect(made.changes[0]?.after).toMatchObject({ floating_network_id: NETWORK });
  const none = planned({ config: conf, observed: observed({ floatingIps: [] }) });
  expect(none.notices?.map(({ reason }) => reason)).toEqual([
    "LoadBalancerExternalNetworkSearchFailed",
    "LoadBalancerForcedInternal",
  ]);
});

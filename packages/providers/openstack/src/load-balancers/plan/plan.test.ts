import { describe, expect, it } from "vitest";
import {
  annotated,
  calls,
  config,
  floatingIp,
  observed,
  type Planning,
  planned,
  type Shape,
  spec,
  tree,
} from "../testing/lb-fixture.ts";

const PUBLISHED = { ingress: [{ ip: "203.0.113.5" }] };

describe("a load balancer in sync", () => {
  it("is not written, and says where it is reached and which it is", () => {
    const made = planned();
    expect(made.changes).toEqual([]);
    expect(made.next).toEqual({ kind: "settled" });
    expect(made.status).toEqual({ ingress: [{ ip: "203.0.113.5", ipMode: "VIP" }] });
    expect(made.annotations).toEqual({
      "loadbalancer.openstack.org/load-balancer-id": "lb-1",
      "loadbalancer.openstack.org/load-balancer-address": "203.0.113.5",
    });
    for (const { name, desired, actual } of made.aspects) expect(actual, name).toBe(desired);
    expect(Object.keys(made.members)).toEqual(["openstack:///s-1"]);
  });

  it("is one more write if everything has to be written again", () => {
    expect(calls(planned({ everything: true }))).toEqual(["PUT loadbalancers/lb-1"]);
  });

  it("results in the same plan for the same input", () => {
    expect(planned()).toEqual(planned());
  });
});

describe("a difference is one call, and the rest waits until Octavia is done", () => {
  const differences: readonly (readonly [string, Planning, readonly string[]])[] = [
    [
      "a connection limit",
      { spec: annotated({ "connection-limit": "9" }) },
      ["PUT listeners/li-1"],
    ],
    ["a timeout", { spec: annotated({ "timeout-client-data": "1" }) }, ["PUT listeners/li-1"]],
    ["source ranges", { spec: spec({ sourceRanges: ["10.0.0.0/8"] }) }, ["PUT listeners/li-1"]],
    ["the algorithm", { spec: annotated({ "lb-method": "SOURCE_IP" }) }, ["PUT pools/po-1"]],
    [
      "affinity",
      { spec: spec({ affinity: { kind: "clientIP", timeoutSeconds: 60 } }) },
      ["PUT pools/po-1"],
    ],
    ["members", { spec: spec({ members: [] }) }, ["PUT pools/po-1/members"]],
    [
      "PROXY protocol, which a pool cannot take on",
      { spec: annotated({ "proxy-protocol": "true" }) },
      ["DELETE pools/po-1"],
    ],
    [
      "X-Forwarded-For, which a TCP listener cannot set",
      { spec: annotated({ "x-forwarded-for": "true" }) },
      ["DELETE pools/po-1"],
    ],
    [
      "a monitor",
      { spec: annotated({ "enable-health-monitor": "true" }) },
      ["POST healthmonitors"],
    ],
    [
      "a port that is new",
      {
        spec: spec({
          listeners: [...spec().listeners, { name: "s", protocol: "UDP", port: 80, nodePort: 1 }],
        }),
      },
      ["POST listeners"],
    ],
    [
      "a port that is gone, when the others are right",
      { spec: spec({ listeners: [{ name: "s", protocol: "TCP", port: 443, nodePort: 2 }] }) },
      ["POST listeners"],
    ],
    [
      "a guest's request to be internal",
      {
        spec: annotated({ "service.beta.kubernetes.io/openstack-internal-load-balancer": "true" }),
      },
      ["DELETE floatingips/fip-1"],
    ],
    [
      "a floating IP that is to be kept",
      {
        spec: annotated({
          "service.beta.kubernetes.io/openstack-internal-load-balancer": "true",
          "keep-floatingip": "true",
        }),
      },
      ["PUT loadbalancers/lb-1", "PUT floatingips/fip-1"],
    ],
  ];
  it.each(differences)("%s", (_what, planning, wanted) => {
    expect(calls(planned(planning))).toEqual(wanted);
  });

  const drifts: readonly (readonly [string, Shape, readonly string[]])[] = [
    ["a listener without its pool", { listener: { default_pool_id: null } }, ["POST pools"]],
    ["a monitor nobody asked for", { monitor: { type: "TCP" } }, ["DELETE healthmonitors/mo-1"]],
    [
      "a member by another port",
      { members: [{ name: "n1", address: "10.0.0.1", protocol_port: 1 }] },
      ["PUT pools/po-1/members"],
    ],
    ["a listener of nobody", { listener: { tags: [] } }, []],
    ["Octavia's own spelling of everybody", { listener: { allowed_cidrs: ["0.0.0.0/0"] } }, []],
  ];
  it.each(drifts)("%s", (_what, shape, wanted) => {
    expect(calls(planned({ observed: observed({ owned: [tree(shape)] }) }))).toEqual(wanted);
  });
});

it("while Octavia is busy, nothing is planned and nothing new is published", () => {
  const busy = tree({ loadBalancer: { provisioning_status: "PENDING_UPDATE" } });
  const made = planned({ observed: observed({ owned: [busy] }), spec: spec({ members: [] }) });
  expect(made.changes).toEqual([]);
  expect(made.next).toMatchObject({ kind: "inProgress", what: "lb-1 is PENDING_UPDATE" });
  expect(made.status).toBeUndefined();
});

describe("a load balancer in ERROR", () => {
  const broken = (created_at = "2026-01-01T00:00:00") =>
    observed({ owned: [tree({ loadBalancer: { provisioning_status: "ERROR", created_at } })] });

  it("that served is left to a user, with advice", () => {
    const made = planned({ observed: broken() });
    expect(made.changes).toEqual([]);
    expect(made.next).toMatchObject({
      kind: "broken",
      message: expect.stringContaining("on-error"),
    });
  });

  it("that served is replaced if the policy or a user says so, and its floating IP is kept", () => {
    for (const more of [{ config: config("on-error = recreate") }, { everything: true }])
      expect(calls(planned({ observed: broken(), ...more }))).toEqual([
        "DELETE loadbalancers/lb-1",
      ]);
  });

  it("that served is failed over if the policy says so", () => {
    const made = planned({ observed: broken(), config: config("on-error = failover") });
    expect(calls(made)).toEqual(["PUT loadbalancers/lb-1/failover"]);
  });

  it("that never served is re-created, but not immediately", () => {
    const one = (created: string) => ({ observed: { ...broken(created), floatingIps: [] } });
    expect(calls(planned(one("2026-01-01T00:00:00")))).toEqual(["DELETE loadbalancers/lb-1"]);
    expect(planned(one("2026-01-01T00:59:30")).changes).toEqual([]);
  });

  it("passes the address that the Service is reached by on to the new one", () => {
    const free = floatingIp({ port_id: null });
    const made = planned({ observed: observed({ floatingIps: [free] }), published: PUBLISHED });
    expect(calls(made)).toEqual(["PUT floatingips/fip-1"]);
  });
});

it("what Octavia can no longer change stays, and the user learns why", () => {
  const made = planned({ spec: annotated({ "subnet-id": "sub-2" }) });
  expect(made.changes).toEqual([]);
  expect(made.notices).toMatchObject([{ reason: "LoadBalancerNeedsReplacement" }]);
});

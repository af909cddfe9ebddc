import type { LoadBalancerSpec } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { markedDescription, tagsFor } from "./ownership.ts";
import {
  annotated,
  calls,
  config,
  firstBody,
  floatingIp,
  NETWORK,
  NOTHING,
  OTHER,
  OWNER,
  observed,
  type Planning,
  planned,
  type Shape,
  spec,
  tree,
} from "./testing/lb-fixture.ts";

const PUBLISHED = { ingress: [{ ip: "203.0.113.5" }] };

describe("what is as it should be", () => {
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

  it("is one write more when everything is to be written again", () => {
    expect(calls(planned({ everything: true }))).toEqual(["PUT loadbalancers/lb-1"]);
  });

  it("is planned the same from the same", () => {
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

it("nothing is planned while Octavia is at work, and nothing published anew", () => {
  const busy = tree({ loadBalancer: { provisioning_status: "PENDING_UPDATE" } });
  const made = planned({ observed: observed({ owned: [busy] }), spec: spec({ members: [] }) });
  expect(made.changes).toEqual([]);
  expect(made.next).toMatchObject({ kind: "inProgress", what: "lb-1 is PENDING_UPDATE" });
  expect(made.status).toBeUndefined();
});

describe("a load balancer that is not there", () => {
  const none = { observed: observed(NOTHING) };

  it("is made with all that is in it, and our mark, in one call", () => {
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

  it("is made bare where the provider takes one call at a time", () => {
    const conf = config("provider-requires-serial-api-calls = true");
    const [change] = planned({ ...none, config: conf }).changes;
    expect(change?.request).not.toHaveProperty("body.listeners");
  });

  it("carries its mark in the description where Octavia has no tags", () => {
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

  it("is not made twice for a Service that names one that is not there", () => {
    const named = annotated({ "load-balancer-id": "lb-77" });
    expect(planned({ ...none, spec: named }).next).toMatchObject({ kind: "unsupported" });
    const lost = planned({ ...none, spec: named, published: PUBLISHED });
    expect(calls(lost)).toEqual(["create load balancer"]);
  });
});

describe("whose it is", () => {
  const unmarked = (shape: Shape = {}) =>
    tree({ ...shape, loadBalancer: { tags: [], ...shape.loadBalancer } });
  const withCandidate = (one: ReturnType<typeof tree>) =>
    ({ observed: observed({ owned: [], candidates: [one] }) }) satisfies Planning;

  it("asks before it takes one of its name without a mark", () => {
    const made = planned(withCandidate(unmarked()));
    expect(made.changes).toEqual([]);
    expect(made.next).toMatchObject({ kind: "unowned", id: "lb-1" });
  });

  it("takes over what upstream made untouched but for the mark, and finds nothing more to do", () => {
    const one = unmarked({ loadBalancer: { tags: ["kube_service_kubernetes_shop_web"] } });
    const made = planned({ ...withCandidate(one), proven: "lb-1" });
    expect(made.changes).toMatchObject([{ action: "adopt", target: "lb-1" }]);
    const [{ after } = { after: {} }] = made.changes;
    expect(after).toMatchObject({ name: one.name, description: one.description });
    expect(planned().changes).toEqual([]);
  });

  it("names what an adoption would take away", () => {
    const one = unmarked({ listener: { protocol_port: 53 } });
    expect(planned({ ...withCandidate(one), consent: "lb-1" }).next).toMatchObject({
      kind: "unowned",
      others: ["listener 53/TCP", "member n1"],
    });
  });

  it("makes its own beside another cluster's of the same name", () => {
    const theirs = tree({}, { ...OTHER, name: "web", clusterUid: "other" });
    expect(calls(planned(withCandidate(theirs)))).toEqual(["create load balancer"]);
  });

  it("refuses another cluster's that the Service names", () => {
    const theirs = tree({}, { ...OTHER, clusterUid: "other" });
    const asked = annotated({ "load-balancer-id": "lb-1" });
    expect(planned({ ...withCandidate(theirs), spec: asked }).next).toEqual({
      ...{ kind: "foreign", id: "lb-1", owner: "the cluster other" },
    });
  });

  it("renames what a cluster of another name made, children first", () => {
    const former = { ...OWNER, clusterName: "old" };
    const one = tree({}, former);
    expect(calls(planned({ observed: observed({ owned: [one] }) }))).toEqual([
      "PUT listeners/li-1",
    ]);
    const renamed = tree({ loadBalancer: { name: "kube_service_old_shop_web", tags: one.tags } });
    const made = planned({ observed: observed({ owned: [renamed] }) });
    expect(calls(made)).toEqual(["PUT loadbalancers/lb-1"]);
    expect(made.changes[0]?.after).toMatchObject({ name: "kube_service_kubernetes_shop_web" });
    expect(made.notices).toMatchObject([{ reason: "LoadBalancerRename" }]);
  });
});

describe("sharing", () => {
  const theirs = () => tree({}, OTHER);
  const named = annotated({ "load-balancer-id": "lb-1" });
  const port = spec({
    ...named,
    listeners: [{ name: "", protocol: "TCP", port: 443, nodePort: 30_443 }],
  });
  const joined = () => tree({ loadBalancer: { tags: tagsFor(theirs(), OWNER) } }, OTHER);

  it("adds its mark first, and takes nothing of the others'", () => {
    const made = planned({ spec: port, observed: observed({ owned: [], candidates: [theirs()] }) });
    expect(calls(made)).toEqual(["PUT loadbalancers/lb-1"]);
    expect(made.changes[0]?.after).toMatchObject({
      name: theirs().name,
      tags: expect.arrayContaining([...theirs().tags]),
    });
  });

  it("adds its listener, and asks for the load balancer's state first", () => {
    const made = planned({ spec: port, observed: observed({ owned: [joined()] }) });
    expect(calls(made)).toEqual(["POST listeners"]);
    expect(made.changes[0]?.request).toMatchObject({ shared: "lb-1" });
  });

  it("is refused a port that another Service has", () => {
    const made = planned({ spec: named, observed: observed({ owned: [joined()] }) });
    expect(made.changes).toEqual([]);
    expect(made.next).toMatchObject({ kind: "unsupported", field: "port 80/TCP" });
  });

  it("is refused where as many share it as may", () => {
    const full = tree(
      { loadBalancer: { tags: [...theirs().tags, "kube_service_kubernetes_a_b"] } },
      OTHER,
    );
    const made = planned({ spec: port, observed: observed({ owned: [], candidates: [full] }) });
    expect(made.next).toMatchObject({ kind: "unsupported", field: "load-balancer-id" });
  });

  it("leaves it to the others with what is theirs", () => {
    const two = joined();
    const made = planned({ spec: undefined, observed: observed({ owned: [two] }) });
    expect(calls(made)).toEqual(["PUT loadbalancers/lb-1"]);
    const [{ after } = { after: {} }] = made.changes;
    expect(after).toEqual({ tags: theirs().tags });
  });

  it("gets no floating IP of its own", () => {
    const made = planned({
      spec: port,
      observed: observed({ owned: [joined()], floatingIps: [] }),
    });
    expect(calls(made)).toEqual(["POST listeners"]);
  });
});

describe("one in ERROR", () => {
  const broken = (created_at = "2026-01-01T00:00:00") =>
    observed({ owned: [tree({ loadBalancer: { provisioning_status: "ERROR", created_at } })] });

  it("that served is left to a user, with advice on what to do", () => {
    const made = planned({ observed: broken() });
    expect(made.changes).toEqual([]);
    expect(made.next).toMatchObject({
      kind: "broken",
      message: expect.stringContaining("on-error"),
    });
  });

  it("that served is replaced where policy says so or a user, and its floating IP stays", () => {
    for (const more of [{ config: config("on-error = recreate") }, { everything: true }])
      expect(calls(planned({ observed: broken(), ...more }))).toEqual([
        "DELETE loadbalancers/lb-1",
      ]);
  });

  it("that served is failed over where policy says so", () => {
    const made = planned({ observed: broken(), config: config("on-error = failover") });
    expect(calls(made)).toEqual(["PUT loadbalancers/lb-1/failover"]);
  });

  it("that never served is made anew, but not at once", () => {
    const one = (created: string) => ({ observed: { ...broken(created), floatingIps: [] } });
    expect(calls(planned(one("2026-01-01T00:00:00")))).toEqual(["DELETE loadbalancers/lb-1"]);
    expect(planned(one("2026-01-01T00:59:30")).changes).toEqual([]);
  });

  it("gives the one made anew the address that the Service is reached by", () => {
    const free = floatingIp({ port_id: null });
    const made = planned({ observed: observed({ floatingIps: [free] }), published: PUBLISHED });
    expect(calls(made)).toEqual(["PUT floatingips/fip-1"]);
  });
});

describe("removal", () => {
  const gone: Planning = { spec: undefined };

  it("takes the floating IP with it, then the load balancer whole", () => {
    expect(calls(planned(gone))).toEqual(["DELETE floatingips/fip-1", "DELETE loadbalancers/lb-1"]);
  });

  it("detaches a floating IP that is not ours or to be kept", () => {
    const keeping = {
      ...OWNER,
      annotations: { "loadbalancer.openstack.org/keep-floatingip": "true" },
    };
    for (const made of [
      planned({ ...gone, owner: keeping }),
      planned({
        ...gone,
        observed: observed({ floatingIps: [floatingIp({ description: "mine" })] }),
      }),
      planned({
        ...gone,
        observed: observed({
          floatingIps: [
            floatingIp({
              description:
                "Floating IP for Kubernetes external service shop/web from cluster other",
            }),
          ],
        }),
      }),
    ])
      expect(calls(made)).toEqual(["PUT floatingips/fip-1", "DELETE loadbalancers/lb-1"]);
  });

  it("keeps a floating IP as the Service last asked, also when nobody knows the Service any more", () => {
    const kept = tree();
    const tags = [...kept.tags, "cloudwright:keep-floatingip=true"];
    const made = planned({
      ...gone,
      observed: observed({ owned: [tree({ loadBalancer: { tags } })] }),
    });
    expect(calls(made)[0]).toBe("PUT floatingips/fip-1");
  });

  it("goes part by part where cascades are switched off", () => {
    const made = planned({ ...gone, config: config("cascade-delete = false") });
    expect(calls(made)).toEqual(["DELETE floatingips/fip-1", "DELETE pools/po-1"]);
  });

  it("finds what was left when the load balancer went another way", () => {
    const leftAs = (description: string) =>
      observed({ owned: [], floatingIps: [floatingIp({ port_id: null, description })] });
    const marked = leftAs(markedDescription("Floating IP", OWNER));
    expect(calls(planned({ ...gone, observed: marked }))).toEqual(["DELETE floatingips/fip-1"]);
    const unmarked = leftAs(floatingIp().description);
    expect(calls(planned({ ...gone, observed: unmarked }))).toEqual([]);
  });

  it("leaves alone what carries no mark", () => {
    const made = planned({
      ...gone,
      observed: observed({ owned: [], candidates: [tree()], floatingIps: [] }),
    });
    expect(made.changes).toEqual([]);
    expect(made.candidates).toHaveLength(1);
  });
});

it("what Octavia can no longer change stays, and the user learns why", () => {
  const made = planned({ spec: annotated({ "subnet-id": "sub-2" }) });
  expect(made.changes).toEqual([]);
  expect(made.notices).toMatchObject([{ reason: "LoadBalancerNeedsReplacement" }]);
});

interface Ranged {
  readonly ranges: readonly string[];
  readonly families: LoadBalancerSpec["families"];
}

describe("source ranges, which Octavia compares with the first address alone", () => {
  const BOTH = ["IPv4", "IPv6"] as const;
  const made = (sourceRanges: readonly string[], families: LoadBalancerSpec["families"]) =>
    planned({
      spec: spec({ sourceRanges, families }),
      observed: observed({ ...NOTHING, networks }),
    });
  const subnet = { name: "", cidr: "", network_id: "net-1", tags: [] };
  const networks = {
    external: undefined,
    subnets: [
      { ...subnet, id: "sub-1", ip_version: 4 },
      { ...subnet, id: "sub-6", ip_version: 6 },
    ],
    ports: undefined,
  } as const;

  it.each<[string, Ranged, readonly string[]]>([
    ["everybody of one family", { ranges: ["0.0.0.0/0"], families: ["IPv4"] }, ["0.0.0.0/0"]],
    ["everybody of both", { ranges: ["0.0.0.0/0", "::/0"], families: BOTH }, []],
    [
      "one family's, with the other's among them",
      { ranges: ["10.0.0.0/8", "fd00::/8"], families: ["IPv4"] },
      ["10.0.0.0/8"],
    ],
    ["both families'", { ranges: ["10.0.0.0/8", "fd00::/8"], families: BOTH }, ["10.0.0.0/8"]],
    ["the first family's alone", { ranges: ["10.0.0.0/8"], families: BOTH }, ["10.0.0.0/8"]],
  ])("%s", (_what, { ranges, families }, sent) => {
    const [listener] = firstBody(made(ranges, families)).listeners as [
      { allowed_cidrs: readonly string[] },
    ];
    expect(listener.allowed_cidrs).toEqual(sent);
  });

  it("names those that are left out", () => {
    const { notices } = made(["10.0.0.0/8", "fd00::/8"], BOTH);
    expect(notices).toMatchObject([{ reason: "LoadBalancerSourceRangesIgnored" }]);
    expect(notices?.[0]?.message).toMatch(/^The source ranges fd00::\/8 are left out/);
    expect(made(["0.0.0.0/0", "::/0"], BOTH).notices ?? []).toEqual([]);
  });

  it.each([
    [["fd00::/8"], ["IPv4"]],
    [["fd00::/8"], BOTH],
  ] as const)("%j for %j would let everybody in, and is refused", (sourceRanges, families) => {
    const { changes, next } = made(sourceRanges, families);
    expect(changes).toEqual([]);
    expect(next).toMatchObject({ kind: "unsupported", field: "loadBalancerSourceRanges" });
  });
});

it("only nodes that the selector chooses are members", () => {
  const nodes = ["a", "b", "c"].map((pool, index) => ({
    ...{ nodeName: `n${index}`, providerID: `openstack:///s-${index}` },
    addresses: [{ type: "InternalIP" as const, address: `10.0.0.${index}` }],
    labels: { pool, ...(index === 1 ? { edge: "" } : {}) },
  }));
  const membersFor = (selector: string) => {
    const asked = { ...annotated({ "node-selector": selector }), members: nodes };
    const made = planned({ spec: asked, observed: observed(NOTHING) });
    const [{ default_pool }] = firstBody(made).listeners as [
      { default_pool: { members: readonly { name: string }[] } },
    ];
    return default_pool.members.map(({ name }) => name);
  };
  expect(membersFor("pool=a")).toEqual(["n0"]);
  expect(membersFor("edge")).toEqual(["n1"]);
  expect(membersFor("pool=b, edge")).toEqual(["n1"]);
  expect(membersFor("")).toHaveLength(3);
});

it("a node without an address of the family is left out and named, and the others serve", () => {
  const nodes = Array.from({ length: 8 }, (_, index) => ({
    ...{ nodeName: `n${index}`, providerID: `openstack:///s-${index}` },
    addresses: [
      { type: "InternalIP" as const, address: index === 0 ? "10.0.0.1" : `fd00::${index}` },
    ],
  }));
  const made = planned({ spec: spec({ members: nodes }), observed: observed(NOTHING) });
  const [{ default_pool }] = firstBody(made).listeners as [
    { default_pool: { members: readonly { name: string }[] } },
  ];
  expect(default_pool.members).toMatchObject([{ name: "n0" }]);
  expect(made.notices).toEqual([
    {
      type: "Warning",
      reason: "LoadBalancerMembersSkipped",
      message:
        "Without an IPv4 address no traffic is sent to n1, n2, n3, n4, n5 and 2 more: correct the addresses of these Nodes.",
    },
  ]);
});

it("an address is one member, also where the Node of a gone server still has it", () => {
  const nodes = ["gone", "new"].map((nodeName) => ({
    ...{ nodeName, providerID: `openstack:///${nodeName}` },
    addresses: [{ type: "InternalIP" as const, address: "10.0.0.7" }],
  }));
  const made = planned({ spec: spec({ members: nodes }), observed: observed(NOTHING) });
  const [{ default_pool }] = firstBody(made).listeners as [
    { default_pool: { members: readonly { address: string }[] } },
  ];
  expect(default_pool.members).toMatchObject([{ address: "10.0.0.7" }]);
});

it("a floating network of nobody makes it internal, and says so", () => {
  const made = planned({
    spec: annotated({ "floating-network-id": "" }),
    observed: observed({ floatingIps: [] }),
  });
  expect(made.changes).toEqual([]);
  expect(made.status).toEqual({ ingress: [{ ip: "10.0.0.9", ipMode: "VIP" }] });
  expect(made.notices).toMatchObject([{ reason: "LoadBalancerForcedInternal" }]);
});

it("the floating network is the first external one with an IPv4 subnet where nobody names one", () => {
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

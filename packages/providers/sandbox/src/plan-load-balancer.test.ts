import type { LoadBalancerSpec } from "@cloudwright/provider-api";
import { describe, expect, it, test } from "vitest";
import type { LoadBalancer } from "./load-balancer.ts";
import { tagsOf } from "./owners.ts";
import {
  changesOf,
  loadBalancer,
  NAME,
  OWNER,
  planned,
  RESTRICTED,
  rule,
  SPEC,
  type There,
} from "./testing/planned.ts";

const HEALING = { ...tagsOf(OWNER), "cloudwright.io/healing": "once" };

describe("what is planned for a Service", () => {
  test.each<[string, There, Partial<LoadBalancerSpec>, readonly string[]]>([
    ["none is there", {}, {}, [`create load balancer ${NAME}`]],
    [
      "none is there, and not everybody may reach it",
      { rules: [] },
      RESTRICTED,
      [`create load balancer ${NAME}`, `create firewall rule ${NAME}`],
    ],
    [
      "only a rule is left that is not wanted",
      { rules: [rule()] },
      {},
      [`create load balancer ${NAME}`, "delete firewall rule fw-1"],
    ],
    ["all is as it should be", { balancers: [loadBalancer()] }, {}, []],
    [
      "it is restricted, and its rule is right",
      { balancers: [loadBalancer(RESTRICTED)], rules: [rule()] },
      RESTRICTED,
      [],
    ],
    [
      "its rule lacks",
      { balancers: [loadBalancer(RESTRICTED)], rules: [] },
      RESTRICTED,
      [`create firewall rule ${NAME}`],
    ],
    [
      "the ranges change: the new rule comes before the old one goes",
      { balancers: [loadBalancer(RESTRICTED)], rules: [rule()] },
      { sourceRanges: ["192.168.0.0/16"] },
      ["update load balancer lb-1", `create firewall rule ${NAME}`, "delete firewall rule fw-1"],
    ],
    [
      "everybody may reach it again: the rule goes while its load balancer still reports it",
      { balancers: [loadBalancer(RESTRICTED)], rules: [rule()] },
      {},
      ["delete firewall rule fw-1", "update load balancer lb-1"],
    ],
    [
      "there are two rules",
      { balancers: [loadBalancer(RESTRICTED)], rules: [rule(), rule({ id: "fw-2" })] },
      RESTRICTED,
      ["delete firewall rule fw-2"],
    ],
    [
      "it is to be internal",
      { balancers: [loadBalancer()] },
      { internal: true },
      ["delete load balancer lb-1"],
    ],
    [
      "the order of the ranges differs",
      {
        balancers: [loadBalancer({ sourceRanges: ["b", "a"] })],
        rules: [rule({ sourceRanges: ["a", "b"] })],
      },
      { sourceRanges: ["a", "b"] },
      [],
    ],
    [
      "a tag of others is there",
      { balancers: [loadBalancer({ tags: { ...tagsOf(OWNER), team: "a" } })] },
      {},
      [],
    ],
    [
      "the cluster has another name",
      {
        balancers: [
          loadBalancer({ tags: { ...tagsOf(OWNER), "cloudwright.io/cluster-name": "old" } }),
        ],
      },
      {},
      [],
    ],
    [
      "the tag of its Service is wrong",
      { balancers: [loadBalancer({ tags: { ...tagsOf(OWNER), "cloudwright.io/service": "x" } })] },
      {},
      ["update load balancer lb-1"],
    ],
    [
      "it is broken",
      { balancers: [loadBalancer({ state: "error" })] },
      {},
      ["update load balancer lb-1"],
    ],
    [
      "it was healed",
      { balancers: [loadBalancer({ tags: HEALING })] },
      {},
      ["update load balancer lb-1"],
    ],
    [
      "it could not be healed",
      { balancers: [loadBalancer({ state: "error", tags: HEALING })] },
      {},
      ["delete load balancer lb-1"],
    ],
    [
      "there is a twin",
      {
        balancers: [
          loadBalancer({ id: "lb-2", createdAt: "2026-01-02T00:00:00.000Z" }),
          loadBalancer(),
        ],
      },
      {},
      ["delete load balancer lb-2"],
    ],
  ])("when %s", (...[_case, there, options, expected]) => {
    expect(changesOf(planned(there, { spec: { ...SPEC, ...options } }))).toEqual(expected);
  });

  test.each<[string, Partial<LoadBalancer>, Partial<LoadBalancerSpec>, object]>([
    ["its listeners", {}, { listeners: [] }, { listeners: [] }],
    [
      "its health check",
      {},
      { healthCheck: { protocol: "HTTP", port: 31_000, path: "/healthz" } },
      { healthCheck: { protocol: "HTTP", port: 31_000, path: "/healthz" } },
    ],
    [
      "its affinity",
      {},
      { affinity: { kind: "clientIP", timeoutSeconds: 9 } },
      { affinity: { kind: "clientIP", timeoutSeconds: 9 } },
    ],
    ["its families", {}, { families: ["IPv4", "IPv6"] }, { families: ["IPv4", "IPv6"] }],
    ["its address", {}, { requestedAddress: "198.19.0.9" }, { requestedAddress: "198.19.0.9" }],
    [
      "an address that nobody asks for any more",
      { requestedAddress: "198.19.0.9" },
      {},
      { requestedAddress: null },
    ],
    ["the proxy protocol", { proxyProtocol: true }, {}, { proxyProtocol: false }],
  ])("writes no more than what differs: %s", (...[_case, there, options, after]) => {
    const { changes } = planned(
      { balancers: [loadBalancer(there)] },
      { spec: { ...SPEC, ...options } },
    );
    expect(changes).toMatchObject([{ action: "update", request: { body: after } }]);
    expect(changes[0]?.after).toEqual(after);
  });

  it.each([{}, { tags: HEALING }])(
    "says what the cloud calls broken, whatever it does about it",
    (more) => {
      const broken = loadBalancer({ state: "error", errorMessage: "a disk is full", ...more });
      const { changes, next } = planned({ balancers: [broken] });
      expect(changes).toHaveLength(1);
      expect(next).toEqual({ kind: "broken", id: "lb-1", message: "a disk is full" });
    },
  );

  it("changes only the members, and counts them", () => {
    const members = ["i-1", "i-3"].map((id) => ({
      nodeName: id,
      providerID: `sandbox://${id}`,
      addresses: [],
    }));
    const there = { balancers: [loadBalancer({ members: ["i-1", "i-2"] })] };
    const { changes, members: actual } = planned(there, { spec: { ...SPEC, members } });
    expect(changes).toMatchObject([
      {
        action: "members",
        before: { members: { count: 2 } },
        after: { members: { added: ["i-3"], removed: ["i-2"], count: 2 } },
      },
    ]);
    expect(actual).toEqual({ "sandbox://i-1": {}, "sandbox://i-2": {} });
  });

  test.each(["provisioning", "updating", "deleting"] as const)("waits while it is %s", (state) => {
    const plan = planned(
      { balancers: [loadBalancer({ state })] },
      { spec: { ...SPEC, listeners: [] } },
    );
    expect(plan).toMatchObject({
      changes: [],
      next: { kind: "inProgress", what: `lb-1 is ${state}` },
    });
  });

  it("keeps waiting for a busy duplicate", () => {
    const twin = loadBalancer({
      id: "lb-2",
      state: "updating",
      createdAt: "2026-01-02T00:00:00.000Z",
    });
    expect(planned({ balancers: [loadBalancer(), twin] })).toMatchObject({
      changes: [],
      next: { kind: "inProgress" },
    });
  });

  it("of duplicates, keeps the one that the Service publishes, by address or host name", () => {
    const newer = { id: "lb-2", address: "198.19.0.2", createdAt: "2026-01-02T00:00:00.000Z" };
    const loadBalancers = [loadBalancer(), loadBalancer(newer)];
    const byIp = planned(
      { balancers: loadBalancers },
      { published: { ingress: [{ ip: "198.19.0.2" }] } },
    );
    expect(changesOf(byIp)).toEqual(["delete load balancer lb-1"]);
    const named = [loadBalancer(), loadBalancer({ ...newer, address: "", hostname: "lb.example" })];
    const published = { ingress: [{ hostname: "lb.example" }] };
    expect(changesOf(planned({ balancers: named }, { published }))).toEqual([
      "delete load balancer lb-1",
    ]);
  });

  test.each<[string, string, object]>([
    ["implemented-elsewhere", "true", { kind: "elsewhere" }],
    [
      "implemented-elsewhere",
      "yes",
      { kind: "unsupported", field: "annotation sandbox.cloudwright.io/implemented-elsewhere" },
    ],
    ["internal", "", { kind: "unsupported", field: "annotation sandbox.cloudwright.io/internal" }],
    ["proxy-protocol", "v2", { kind: "unsupported", problem: '"v2" is neither true nor false' }],
  ])("does nothing for the annotation %s: %s", (name, value, next) => {
    const annotations = { [`sandbox.cloudwright.io/${name}`]: value };
    const plan = planned({}, { spec: { ...SPEC, annotations } });
    expect(plan).toMatchObject({ changes: [], next });
  });

  it("applies the annotations for an internal load balancer and the proxy protocol", () => {
    const annotations = {
      "sandbox.cloudwright.io/internal": "true",
      "sandbox.cloudwright.io/proxy-protocol": "true",
      "sandbox.cloudwright.io/implemented-elsewhere": "false",
    };
    const { changes } = planned({}, { spec: { ...SPEC, annotations } });
    expect(changes).toMatchObject([{ request: { body: { internal: true, proxyProtocol: true } } }]);
  });

  it("carries the Service's class, which is corrected if it differs", () => {
    const owner = { ...OWNER, loadBalancerClass: "x/y" };
    const spec = { ...SPEC, owner };
    expect(planned({}, { owner, spec }).changes).toMatchObject([
      { request: { body: { tags: { "cloudwright.io/load-balancer-class": "x/y" } } } },
    ]);
    const there = { balancers: [loadBalancer({ tags: tagsOf(owner) })] };
    expect(planned(there, { owner, spec })).toMatchObject({
      changes: [],
      actual: { loadBalancerClass: "x/y" },
    });
    expect(planned(there).changes).toMatchObject([{ after: { tags: tagsOf(OWNER) } }]);
    expect(changesOf(planned({ balancers: [loadBalancer()] }, { owner, spec }))).toEqual([
      "update load balancer lb-1",
    ]);
  });

  it("does not support SCTP", () => {
    const listeners = [{ name: "", protocol: "SCTP", port: 80, nodePort: 30_080 }] as const;
    expect(planned({}, { spec: { ...SPEC, listeners } })).toMatchObject({
      changes: [],
      next: { kind: "unsupported", field: "protocol" },
    });
  });

  test.each<[string, Record<string, string>, object]>([
    ["nobody's mark", {}, { kind: "unowned", id: "lb-9", name: NAME }],
    [
      "another cluster's",
      { ...tagsOf(OWNER), "cloudwright.io/cluster": "c-2", "cloudwright.io/cluster-name": "test" },
      { kind: "foreign", owner: "the cluster test" },
    ],
    [
      "another Service's",
      { ...tagsOf(OWNER), "cloudwright.io/service-uid": "u", "cloudwright.io/service": "a/b" },
      { kind: "foreign", owner: "the Service a/b" },
    ],
    [
      "half a mark",
      { "cloudwright.io/cluster": "c-1" },
      { kind: "foreign", owner: "another Service of this cluster" },
    ],
  ])("touches none of its name that carries %s", (_case, tags, next) => {
    const there = { candidates: [loadBalancer({ id: "lb-9", tags })] };
    expect(planned(there)).toMatchObject({ changes: [], next });
    const isUnowned = Object.keys(tags).length === 0;
    const consented = planned(there, { consent: "lb-9" });
    expect(changesOf(consented)).toEqual(isUnowned ? ["adopt load balancer lb-9"] : []);
    expect(consented.actual?.id, "what is adopted is what is there").toBe(
      isUnowned ? "lb-9" : undefined,
    );
  });
});

describe("where it is reached", () => {
  test.each<[string, Partial<LoadBalancer>, object | undefined]>([
    ["its address", {}, { ingress: [{ ip: "198.19.0.1" }] }],
    ["its address while it is changed", { state: "updating" }, { ingress: [{ ip: "198.19.0.1" }] }],
    ["nowhere while it is made", { state: "provisioning", address: "" }, undefined],
    ["nowhere while it is broken", { state: "error" }, undefined],
    ["nowhere without any address", { address: "" }, undefined],
    [
      "its host name alone, without a mode",
      { address: "", hostname: "lb.example", ipMode: "Proxy" },
      { ingress: [{ hostname: "lb.example" }] },
    ],
    [
      "its address with what the cloud says of it",
      { ipMode: "Proxy", ports: [{ port: 80, protocol: "TCP" }] },
      {
        ingress: [{ ip: "198.19.0.1", ipMode: "Proxy", ports: [{ port: 80, protocol: "TCP" }] }],
      },
    ],
    [
      "both addresses, that of the first family first",
      { families: ["IPv6", "IPv4"], addressV6: "2001:db8::1" },
      { ingress: [{ ip: "2001:db8::1" }, { ip: "198.19.0.1" }] },
    ],
  ])("is %s", (_case, there, status) => {
    expect(planned({ balancers: [loadBalancer(there)] }).status).toEqual(status);
  });
});

describe("what a page shows", () => {
  it("is desired beside actual, and anything that belongs to the load balancer", () => {
    const there = { balancers: [loadBalancer({ ...RESTRICTED, listeners: [] })], rules: [rule()] };
    const { aspects, actual } = planned(there);
    expect(aspects).toContainEqual({
      name: "listener 80/TCP",
      desired: "to node port 30080, named http",
    });
    expect(aspects).toContainEqual({
      name: "source ranges",
      desired: "0.0.0.0/0",
      actual: "10.0.0.0/8",
    });
    expect(aspects).toContainEqual({ name: "firewall rule", actual: "10.0.0.0/8" });
    expect(aspects).toContainEqual({ name: "reach", desired: "external", actual: "external" });
    expect(actual).toMatchObject({
      id: "lb-1",
      type: "network",
      addresses: ["198.19.0.1"],
      parts: [{ kind: "firewall rule", id: "fw-1" }],
    });
  });

  it("is the rule if only that is left", () => {
    expect(planned({ rules: [rule()] }, { spec: undefined }).actual).toMatchObject({
      id: "fw-1",
      type: "firewall rule",
    });
  });
});

import type { LoadBalancerSpec } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { annotated, firstBody, NOTHING, observed, planned, spec } from "../testing/lb-fixture.ts";

interface Ranged {
  readonly ranges: readonly string[];
  readonly families: LoadBalancerSpec["families"];
}

describe("source ranges, which Octavia compares only with the first address", () => {
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

  it("names the ranges that are left out", () => {
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

it("only nodes that match the selector are members", () => {
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

it("an address is one member, even if the Node of a deleted server still has it", () => {
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

import { describe, expect, it } from "vitest";
import type { Node } from "../../kube/client.ts";
import { nameOf } from "../objects/object-meta.ts";
import { CREATED_AT } from "../testing/node-fixture.ts";
import { FakeNodes } from "./testing/fake-nodes.ts";
import { IpamFixture } from "./testing/ipam-fixture.ts";
import { expectNoneTwice } from "./testing/none-twice.ts";

function registerMany(nodes: FakeNodes, count: number, from = 0): void {
  for (let index = from; index < from + count; index += 1) nodes.register({ name: `n${index}` });
}

describe("nodes without pod ranges", () => {
  it("get one block each, in the order of the range; the first is also podCIDR", async () => {
    const fixture = new IpamFixture();
    registerMany(fixture.nodes, 3);
    await fixture.settle();
    expect(fixture.nodes.ranges).toEqual(["10.120.0.0/24", "10.120.1.0/24", "10.120.2.0/24"]);
    expect(fixture.nodes.list().map(({ spec }) => spec?.podCIDR)).toEqual(fixture.nodes.ranges);
    await fixture.stop();
  });

  it("get one of each family in the order of the ranges", async () => {
    const ranges = [
      ["10.120.0.0/16", 24],
      ["fd00:120::/48", 64],
    ] as const;
    const fixture = new IpamFixture({ ranges });
    registerMany(fixture.nodes, 2);
    await fixture.settle();
    expect(fixture.nodes.rangesOf("n1")).toEqual(["10.120.1.0/24", "fd00:120:0:1::/64"]);
    await fixture.stop();
  });

  it("get different ones when hundreds come at once and forty are written at the same time", async () => {
    const fixture = new IpamFixture({ ranges: [["10.120.0.0/15", 24]] });
    registerMany(fixture.nodes, 400);
    await fixture.until(() => fixture.nodes.ranges.length === 400);
    expectNoneTwice(fixture.nodes.ranges);
    expect(fixture.pools()[0]?.used).toBe(400);
    await fixture.stop();
  });

  it("get none from the ranges of Services", async () => {
    const fixture = new IpamFixture({ services: ["10.120.1.0/24", "fd00::/112"] });
    registerMany(fixture.nodes, 4);
    await fixture.settle();
    expect(fixture.nodes.ranges).toEqual(["10.120.0.0/24", "10.120.2.0/24", "10.120.3.0/24"]);
    await fixture.stop();
  });

  it("wait without a write for the first list of all nodes", async () => {
    const nodes = new FakeNodes();
    registerMany(nodes, 2);
    const fixture = new IpamFixture({ nodes, failingLists: 3 });
    await fixture.clock.advance(100);
    expect(nodes.patched).toEqual([]);
    await fixture.settle(5_000);
    expect(nodes.ranges).toHaveLength(2);
    await fixture.stop();
  });
});

it("frees the block of a node that disappeared while all nodes were listed", async () => {
  const nodes = new FakeNodes();
  nodes.register({ name: "old", podCIDRs: ["10.120.0.0/24"] });
  const fixture = new IpamFixture({ nodes, meanwhile: () => nodes.remove("old") });
  registerMany(nodes, 4);
  await fixture.settle();
  expect(nodes.ranges.toSorted()).toEqual([
    "10.120.0.0/24",
    "10.120.1.0/24",
    "10.120.2.0/24",
    "10.120.3.0/24",
  ]);
  await fixture.stop();
});

it("frees the block of a node that disappeared before the cache had seen it", async () => {
  const nodes = new FakeNodes();
  nodes.follows = false;
  nodes.register({ name: "old", podCIDRs: ["10.120.0.0/24"] });
  nodes.register({ name: "lagging", podCIDRs: ["10.120.1.0/24"] });
  const fixture = new IpamFixture({
    nodes,
    ranges: [["10.120.0.0/23", 24]],
    meanwhile: () => nodes.remove("old"),
  });
  await fixture.settle(0);
  nodes.informer.put(nodes.register({ name: "new" }));
  await fixture.settle();
  expect(fixture.lastOf("new")?.reason.code).toBe("PodCIDRsExhausted");
  nodes.follows = true;
  await fixture.settle(20_000);
  expect([nodes.rangesOf("new"), nodes.rangesOf("lagging")]).toEqual([
    ["10.120.0.0/24"],
    ["10.120.1.0/24"],
  ]);
  await fixture.stop();
});

describe("an exhausted range", () => {
  it("leaves a node stuck, which continues by itself when another is gone", async () => {
    const fixture = new IpamFixture();
    registerMany(fixture.nodes, 5);
    await fixture.settle();
    expect(fixture.lastOf("n4")).toMatchObject({
      state: "stuck",
      reason: { code: "PodCIDRsExhausted", range: "10.120.0.0/22", capacity: 4 },
    });
    fixture.nodes.remove("n1");
    await fixture.settle();
    expect(fixture.nodes.rangesOf("n4")).toEqual(["10.120.1.0/24"]);
    await fixture.stop();
  });

  it("keeps the blocks of a node that is being deleted until it is gone", async () => {
    const fixture = new IpamFixture({ ranges: [["10.120.0.0/24", 24]] });
    const deletionTimestamp = new Date(CREATED_AT).toISOString();
    fixture.nodes.register({ name: "n1", podCIDRs: ["10.120.0.0/24"], deletionTimestamp });
    fixture.nodes.register({ name: "n2" });
    await fixture.settle();
    expect(fixture.nodes.rangesOf("n2")).toEqual([]);
    fixture.nodes.remove("n1");
    await fixture.settle();
    expect(fixture.nodes.rangesOf("n2")).toEqual(["10.120.0.0/24"]);
    await fixture.stop();
  });

  it("gives nothing of the other family either", async () => {
    const ranges = [
      ["10.120.0.0/16", 24],
      ["fd00:120::/64", 64],
    ] as const;
    const fixture = new IpamFixture({ ranges });
    registerMany(fixture.nodes, 2);
    await fixture.settle();
    expect(fixture.nodes.rangesOf("n1")).toEqual([]);
    expect(fixture.pools().map(({ used }) => used)).toEqual([1, 1]);
    await fixture.stop();
  });
});

describe("a new leader", () => {
  it("respects what its cache has not seen yet", async () => {
    const nodes = new FakeNodes();
    nodes.follows = false;
    nodes.register({ name: "n0", podCIDRs: ["10.120.0.0/24"] });
    nodes.register({ name: "n1", podCIDRs: ["10.120.1.0/24"] });
    nodes.informer.put(nodes.list()[0] as Node);
    const fixture = new IpamFixture({ nodes });
    await fixture.clock.advance(0);
    nodes.follows = true;
    nodes.register({ name: "n2" });
    await fixture.settle();
    expect(nodes.rangesOf("n2")).toEqual(["10.120.2.0/24"]);
    await fixture.stop();
  });

  it("does not write to a node whose ranges its cache does not show", async () => {
    const nodes = new FakeNodes();
    const bare = nodes.register({ name: "n1" });
    nodes.follows = false;
    nodes.register({ name: "n1", podCIDRs: ["10.120.2.0/24"] });
    const fixture = new IpamFixture({ nodes });
    await fixture.settle();
    expect(nodes.informer.get("n1")).toBe(bare);
    expect([nodes.patched, fixture.lastOf("n1")?.state]).toEqual([[], "ok"]);
    await fixture.stop();
  });
});

describe("a node with invalid pod ranges", () => {
  it("takes no block from nodes that were about to get it, when it comes with one", async () => {
    const fixture = new IpamFixture();
    fixture.nodes.register({ name: "n1" });
    fixture.nodes.register({ name: "n9", podCIDRs: ["10.120.0.0/24"] });
    await fixture.settle();
    expectNoneTwice(fixture.nodes.ranges);
    await fixture.stop();
  });

  it("is distinguished from the older one with the same range, until one of them is gone", async () => {
    const fixture = new IpamFixture();
    const podCIDRs = ["10.120.2.0/24"];
    fixture.nodes.register({ name: "young", podCIDRs, createdAt: CREATED_AT + 1_000 });
    await fixture.settle();
    fixture.nodes.register({ name: "old", podCIDRs });
    await fixture.settle();
    expect(fixture.lastOf("old")?.state).toBe("ok");
    expect(fixture.lastOf("young")).toMatchObject({
      state: "stuck",
      reason: { code: "PodCIDRDuplicate", cidr: "10.120.2.0/24", other: "old" },
    });
    fixture.nodes.remove("old");
    await fixture.settle();
    expect(fixture.lastOf("young")?.state).toBe("ok");
    await fixture.stop();
  });

  it("is stuck alone when they are outside the range, of Services, or unreadable; others get theirs", async () => {
    const fixture = new IpamFixture({ services: ["10.120.0.0/24"] });
    fixture.nodes.register({ name: "outside", podCIDRs: ["10.121.0.0/24"] });
    fixture.nodes.register({ name: "service", podCIDRs: ["10.120.0.0/25"] });
    fixture.nodes.register({ name: "odd", podCIDRs: ["pods"] });
    fixture.nodes.register({ name: "many", podCIDRs: ["10.120.3.0/24", "fd00::/64"] });
    fixture.nodes.register({ name: "n1" });
    await fixture.settle();
    expect(fixture.nodes.rangesOf("n1")).toEqual(["10.120.1.0/24"]);
    const reasons = ["outside", "service", "odd", "many"].map(
      (name) => fixture.lastOf(name)?.reason,
    );
    expect(reasons.map((reason) => reason?.code)).toEqual([
      "PodCIDROutside",
      "PodCIDRInvalid",
      "PodCIDRInvalid",
      "PodCIDROutside",
    ]);
    await fixture.stop();
  });

  it("keeps others from all blocks that its range covers", async () => {
    const fixture = new IpamFixture();
    fixture.nodes.register({ name: "wide", podCIDRs: ["10.120.0.0/23"] });
    fixture.nodes.register({ name: "half", podCIDRs: ["10.120.2.128/25"] });
    registerMany(fixture.nodes, 2);
    await fixture.settle();
    expect(fixture.nodes.ranges).toEqual(["10.120.0.0/23", "10.120.2.128/25", "10.120.3.0/24"]);
    await fixture.stop();
  });
});

it("shows the pages what a node has and how full the ranges are", async () => {
  const fixture = new IpamFixture();
  fixture.nodes.register({ name: "n1" });
  await fixture.settle();
  expect(fixture.records.findLast(({ type }) => type === "state")).toMatchObject({
    controller: "node-ipam-controller",
    drift: "inStep",
    detail: {
      kind: "ranges",
      podCIDRs: ["10.120.0.0/24"],
      pools: [{ clusterCIDR: "10.120.0.0/22", nodeMask: 24, capacity: 4, used: 1 }],
    },
  });
  await fixture.stop();
});

it("reports each node of a wave once, although the range fills meanwhile and the cache echoes each write", async () => {
  const fixture = new IpamFixture({ ranges: [["10.120.0.0/20", 24]] });
  registerMany(fixture.nodes, 16);
  await fixture.settle();
  const names = fixture.records.flatMap((record) => (record.type === "state" ? record.name : []));
  expect(names.sort()).toEqual(fixture.nodes.list().map(nameOf).sort());
  await fixture.stop();
});

it("notices a hold that comes with the echo of its own write", async () => {
  const fixture = new IpamFixture();
  fixture.nodes.register({ name: "n1" });
  await fixture.settle();
  const annotations = { "cloudwright.io/hold": "by hand" };
  fixture.nodes.register({ name: "n1", podCIDRs: fixture.nodes.rangesOf("n1"), annotations });
  await fixture.settle();
  expect(fixture.lastOf("n1")?.reason.code).toBe("HeldByAnnotation");
  fixture.nodes.register({ name: "n1", podCIDRs: fixture.nodes.rangesOf("n1") });
  await fixture.settle();
  expect(fixture.lastOf("n1")?.reason.code).toBe("PodCIDRsInStep");
  await fixture.stop();
});

it("plans a block of its own for each node in a dry run, and writes none", async () => {
  const fixture = new IpamFixture({ dryRun: true });
  registerMany(fixture.nodes, 5);
  await fixture.settle();
  const planned = fixture.records.flatMap((record) =>
    record.type === "run.end" ? record.changes.map(({ after }) => JSON.stringify(after)) : [],
  );
  expect(new Set(planned).size).toBe(4);
  expect(fixture.lastOf("n4")?.reason.code).toBe("PodCIDRsExhausted");
  expect(fixture.nodes.patched).toEqual([]);
  await fixture.stop();
});

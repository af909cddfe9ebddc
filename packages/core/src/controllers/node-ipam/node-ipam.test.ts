import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Node } from "../../kube/client.ts";
import { overlaps } from "../../model/values/cidr.ts";
import { nameOf } from "../objects/object-meta.ts";
import { CREATED_AT } from "../testing/node-fixture.ts";
import { FakeNodes, kubeFailure, lostAnswer } from "./testing/fake-nodes.ts";
import { cidr, IpamWorld } from "./testing/ipam-world.ts";

function registerMany(nodes: FakeNodes, count: number, from = 0): void {
  for (let index = from; index < from + count; index += 1) nodes.register({ name: `n${index}` });
}

function expectNoneTwice(ranges: readonly string[]): void {
  const seen = ranges.map(cidr);
  const twice = seen.filter((one, index) => seen.slice(0, index).some((two) => overlaps(one, two)));
  expect(twice).toEqual([]);
}

describe("nodes without pod ranges", () => {
  it("get one block each, in the order of the range, and the first of it as podCIDR", async () => {
    const world = new IpamWorld();
    registerMany(world.nodes, 3);
    await world.settle();
    expect(world.nodes.ranges).toEqual(["10.120.0.0/24", "10.120.1.0/24", "10.120.2.0/24"]);
    expect(world.nodes.list().map(({ spec }) => spec?.podCIDR)).toEqual(world.nodes.ranges);
    await world.stop();
  });

  it("get one of each family in the order of the ranges", async () => {
    const ranges = [
      ["10.120.0.0/16", 24],
      ["fd00:120::/48", 64],
    ] as const;
    const world = new IpamWorld({ ranges });
    registerMany(world.nodes, 2);
    await world.settle();
    expect(world.nodes.rangesOf("n1")).toEqual(["10.120.1.0/24", "fd00:120:0:1::/64"]);
    await world.stop();
  });

  it("get none twice when hundreds come at once and forty are written at the same time", async () => {
    const world = new IpamWorld({ ranges: [["10.120.0.0/15", 24]] });
    registerMany(world.nodes, 400);
    await world.until(() => world.nodes.ranges.length === 400);
    expectNoneTwice(world.nodes.ranges);
    expect(world.pools()[0]?.used).toBe(400);
    await world.stop();
  });

  it("get none in the ranges of Services", async () => {
    const world = new IpamWorld({ services: ["10.120.1.0/24", "fd00::/112"] });
    registerMany(world.nodes, 4);
    await world.settle();
    expect(world.nodes.ranges).toEqual(["10.120.0.0/24", "10.120.2.0/24", "10.120.3.0/24"]);
    await world.stop();
  });

  it("wait without a write for the first answer to what all nodes have", async () => {
    const nodes = new FakeNodes();
    registerMany(nodes, 2);
    const world = new IpamWorld({ nodes, failingLists: 3 });
    await world.clock.advance(100);
    expect(nodes.patched).toEqual([]);
    await world.settle(5_000);
    expect(nodes.ranges).toHaveLength(2);
    await world.stop();
  });
});

it("does not keep the block of a node that went while all nodes were listed", async () => {
  const nodes = new FakeNodes();
  nodes.register({ name: "old", podCIDRs: ["10.120.0.0/24"] });
  const world = new IpamWorld({ nodes, meanwhile: () => nodes.remove("old") });
  registerMany(nodes, 4);
  await world.settle();
  expect(nodes.ranges.toSorted()).toEqual([
    "10.120.0.0/24",
    "10.120.1.0/24",
    "10.120.2.0/24",
    "10.120.3.0/24",
  ]);
  await world.stop();
});

describe("a range that is used up", () => {
  it("leaves a node stuck, which goes on by itself when another is gone", async () => {
    const world = new IpamWorld();
    registerMany(world.nodes, 5);
    await world.settle();
    expect(world.lastOf("n4")).toMatchObject({
      state: "stuck",
      reason: { code: "PodCIDRsExhausted", range: "10.120.0.0/22", capacity: 4 },
    });
    world.nodes.remove("n1");
    await world.settle();
    expect(world.nodes.rangesOf("n4")).toEqual(["10.120.1.0/24"]);
    await world.stop();
  });

  it("keeps the blocks of a node that is being deleted until it is gone", async () => {
    const world = new IpamWorld({ ranges: [["10.120.0.0/24", 24]] });
    const deletionTimestamp = new Date(CREATED_AT).toISOString();
    world.nodes.register({ name: "n1", podCIDRs: ["10.120.0.0/24"], deletionTimestamp });
    world.nodes.register({ name: "n2" });
    await world.settle();
    expect(world.nodes.rangesOf("n2")).toEqual([]);
    world.nodes.remove("n1");
    await world.settle();
    expect(world.nodes.rangesOf("n2")).toEqual(["10.120.0.0/24"]);
    await world.stop();
  });

  it("gives nothing of the other family either", async () => {
    const ranges = [
      ["10.120.0.0/16", 24],
      ["fd00:120::/64", 64],
    ] as const;
    const world = new IpamWorld({ ranges });
    registerMany(world.nodes, 2);
    await world.settle();
    expect(world.nodes.rangesOf("n1")).toEqual([]);
    expect(world.pools().map(({ used }) => used)).toEqual([1, 1]);
    await world.stop();
  });
});

describe("a write that fails", () => {
  it("gives the block back when it was certainly not made, and is made again", async () => {
    const world = new IpamWorld({ ranges: [["10.120.0.0/24", 24]] });
    const api: { isForbidden: boolean } = { isForbidden: true };
    world.nodes.onPatch = async (name, land) => {
      if (api.isForbidden) throw kubeFailure("Forbidden", name);
      return land();
    };
    world.nodes.register({ name: "n1" });
    await world.settle(20);
    expect(world.pools()[0]?.used).toBe(0);
    expect(world.lastOf("n1")).toMatchObject({
      outcome: "failed",
      reason: { code: "KubeForbidden" },
    });
    api.isForbidden = false;
    world.nodes.register({ name: "n2" });
    await world.settle(5_000);
    expect(world.nodes.ranges).toEqual(["10.120.0.0/24"]);
    await world.stop();
  });

  it("is looked at when its answer was lost, and was made", async () => {
    const world = new IpamWorld();
    world.nodes.onPatch = async (name, land) => {
      land();
      throw lostAnswer(name);
    };
    world.nodes.register({ name: "n1" });
    await world.settle();
    expect(world.lastOf("n1")).toMatchObject({ state: "ok" });
    expect(world.nodes.patched).toEqual(["n1"]);
    expect(world.pools()[0]?.used).toBe(1);
    await world.stop();
  });

  it("keeps its block for the node while it may still be made", async () => {
    const world = new IpamWorld({ ranges: [["10.120.0.0/24", 24]] });
    let landLate: () => Node = () => {
      throw new Error("nothing was written");
    };
    let tries = 0;
    world.nodes.onPatch = async (name, land) => {
      tries += 1;
      if (tries > 1) throw kubeFailure("Forbidden", name);
      landLate = land;
      throw lostAnswer(name);
    };
    world.nodes.register({ name: "n1" });
    await world.until(() => tries > 1);
    world.nodes.register({ name: "n2" });
    await world.settle();
    expect(world.lastOf("n2")?.reason.code).toBe("PodCIDRsExhausted");
    landLate();
    await world.settle(5_000);
    expect([world.nodes.ranges, world.lastOf("n1")?.state]).toEqual([["10.120.0.0/24"], "ok"]);
    world.nodes.onPatch = async (_name, land) => land();
    world.nodes.remove("n1");
    await world.settle();
    expect(world.nodes.rangesOf("n2")).toEqual(["10.120.0.0/24"]);
    await world.stop();
  });

  it("leaves a node alone that somebody else gave ranges meanwhile, and gives ours back", async () => {
    const world = new IpamWorld();
    world.nodes.onPatch = async (name, land) => {
      world.nodes.follows = false;
      if (world.nodes.rangesOf(name).length === 0) {
        world.nodes.register({ name, podCIDRs: ["10.120.3.0/24"] });
      }
      return land();
    };
    world.nodes.register({ name: "n1" });
    await world.settle();
    expect(world.nodes.rangesOf("n1")).toEqual(["10.120.3.0/24"]);
    expect(world.lastOf("n1")).toMatchObject({ state: "ok" });
    expect(world.pools()[0]?.used).toBe(1);
    await world.stop();
  });

  it("frees the block of a node that went before the answer came", async () => {
    const world = new IpamWorld();
    world.nodes.onPatch = async (name, land) => {
      const written = land();
      world.nodes.remove(name);
      return written;
    };
    world.nodes.register({ name: "n1" });
    await world.settle();
    expect(world.pools()[0]?.used).toBe(0);
    await world.stop();
  });
});

describe("whoever leads anew", () => {
  it("heeds what its cache has not heard of yet", async () => {
    const nodes = new FakeNodes();
    nodes.follows = false;
    nodes.register({ name: "n0", podCIDRs: ["10.120.0.0/24"] });
    nodes.register({ name: "n1", podCIDRs: ["10.120.1.0/24"] });
    nodes.informer.put(nodes.list()[0] as Node);
    const world = new IpamWorld({ nodes });
    await world.clock.advance(0);
    nodes.follows = true;
    nodes.register({ name: "n2" });
    await world.settle();
    expect(nodes.rangesOf("n2")).toEqual(["10.120.2.0/24"]);
    await world.stop();
  });

  it("does not write to a node that has ranges which its cache does not show", async () => {
    const nodes = new FakeNodes();
    const bare = nodes.register({ name: "n1" });
    nodes.follows = false;
    nodes.register({ name: "n1", podCIDRs: ["10.120.2.0/24"] });
    const world = new IpamWorld({ nodes });
    await world.settle();
    expect(nodes.informer.get("n1")).toBe(bare);
    expect([nodes.patched, world.lastOf("n1")?.state]).toEqual([[], "ok"]);
    await world.stop();
  });
});

describe("a node with pod ranges that cannot be right", () => {
  it("takes no block from those that were about to get it, when it comes with one", async () => {
    const world = new IpamWorld();
    world.nodes.register({ name: "n1" });
    world.nodes.register({ name: "n9", podCIDRs: ["10.120.0.0/24"] });
    await world.settle();
    expectNoneTwice(world.nodes.ranges);
    await world.stop();
  });

  it("is told apart from the older one with the same range, until one of them is gone", async () => {
    const world = new IpamWorld();
    const podCIDRs = ["10.120.2.0/24"];
    world.nodes.register({ name: "young", podCIDRs, createdAt: CREATED_AT + 1_000 });
    await world.settle();
    world.nodes.register({ name: "old", podCIDRs });
    await world.settle();
    expect(world.lastOf("old")?.state).toBe("ok");
    expect(world.lastOf("young")).toMatchObject({
      state: "stuck",
      reason: { code: "PodCIDRDuplicate", cidr: "10.120.2.0/24", other: "old" },
    });
    world.nodes.remove("old");
    await world.settle();
    expect(world.lastOf("young")?.state).toBe("ok");
    await world.stop();
  });

  it("is stuck alone: outside the range, of Services, or not to be read; others get theirs", async () => {
    const world = new IpamWorld({ services: ["10.120.0.0/24"] });
    world.nodes.register({ name: "outside", podCIDRs: ["10.121.0.0/24"] });
    world.nodes.register({ name: "service", podCIDRs: ["10.120.0.0/25"] });
    world.nodes.register({ name: "odd", podCIDRs: ["pods"] });
    world.nodes.register({ name: "many", podCIDRs: ["10.120.3.0/24", "fd00::/64"] });
    world.nodes.register({ name: "n1" });
    await world.settle();
    expect(world.nodes.rangesOf("n1")).toEqual(["10.120.1.0/24"]);
    const reasons = ["outside", "service", "odd", "many"].map((name) => world.lastOf(name)?.reason);
    expect(reasons.map((reason) => reason?.code)).toEqual([
      "PodCIDROutside",
      "PodCIDRInvalid",
      "PodCIDRInvalid",
      "PodCIDROutside",
    ]);
    await world.stop();
  });

  it("keeps others from all blocks that its range covers", async () => {
    const world = new IpamWorld();
    world.nodes.register({ name: "wide", podCIDRs: ["10.120.0.0/23"] });
    world.nodes.register({ name: "half", podCIDRs: ["10.120.2.128/25"] });
    registerMany(world.nodes, 2);
    await world.settle();
    expect(world.nodes.ranges).toEqual(["10.120.0.0/23", "10.120.2.128/25", "10.120.3.0/24"]);
    await world.stop();
  });
});

it("tells the pages what a node has and how full the ranges are", async () => {
  const world = new IpamWorld();
  world.nodes.register({ name: "n1" });
  await world.settle();
  expect(world.records.findLast(({ type }) => type === "state")).toMatchObject({
    controller: "node-ipam-controller",
    drift: "inStep",
    detail: {
      kind: "ranges",
      podCIDRs: ["10.120.0.0/24"],
      pools: [{ clusterCIDR: "10.120.0.0/22", nodeMask: 24, capacity: 4, used: 1 }],
    },
  });
  await world.stop();
});

it("tells of each node of a wave once, although the range fills meanwhile and the cache echoes each write", async () => {
  const world = new IpamWorld({ ranges: [["10.120.0.0/20", 24]] });
  registerMany(world.nodes, 16);
  await world.settle();
  const names = world.records.flatMap((record) => (record.type === "state" ? record.name : []));
  expect(names.sort()).toEqual(world.nodes.list().map(nameOf).sort());
  await world.stop();
});

it("sees a hold that comes with the echo of its own write", async () => {
  const world = new IpamWorld();
  world.nodes.register({ name: "n1" });
  await world.settle();
  const annotations = { "cloudwright.io/hold": "by hand" };
  world.nodes.register({ name: "n1", podCIDRs: world.nodes.rangesOf("n1"), annotations });
  await world.settle();
  expect(world.lastOf("n1")?.reason.code).toBe("HeldByAnnotation");
  world.nodes.register({ name: "n1", podCIDRs: world.nodes.rangesOf("n1") });
  await world.settle();
  expect(world.lastOf("n1")?.reason.code).toBe("PodCIDRsInStep");
  await world.stop();
});

it("plans a block of its own for each node in a dry run, and writes none", async () => {
  const world = new IpamWorld({ dryRun: true });
  registerMany(world.nodes, 5);
  await world.settle();
  const planned = world.records.flatMap((record) =>
    record.type === "run.end" ? record.changes.map(({ after }) => JSON.stringify(after)) : [],
  );
  expect(new Set(planned).size).toBe(4);
  expect(world.lastOf("n4")?.reason.code).toBe("PodCIDRsExhausted");
  expect(world.nodes.patched).toEqual([]);
  await world.stop();
});

type Fate = "lands" | "landsSilently" | "isLost" | "landsLate" | "isRefused";

describe("whatever becomes of the writes, and whoever comes and goes", () => {
  const fates = fc.array(
    fc.constantFrom<Fate>("lands", "landsSilently", "isLost", "landsLate", "isRefused"),
    { minLength: 1, maxLength: 30 },
  );
  const moves = fc.array(
    fc.record({ kind: fc.constantFrom("come", "come", "go"), pick: fc.nat(30) }),
    { maxLength: 25 },
  );

  it("no block is given twice, and none is lost", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fates, moves, async (row, steps) => {
        const world = new IpamWorld({ ranges: [["10.120.0.0/20", 24]] });
        const late: (() => unknown)[] = [];
        let writes = 0;
        world.nodes.onPatch = (name, land) => {
          const fate = row[writes % row.length] ?? "lands";
          writes += 1;
          return become(fate, { name, land, late });
        };
        for (const [index, { kind, pick }] of steps.entries()) {
          move(world.nodes, { kind, pick, name: `n${index}` });
          if (pick % 3 === 0) await world.clock.advance(pick);
        }
        for (const land of late) ignoringRefusals(land);
        world.nodes.onPatch = async (_name, land) => land();
        await world.settle(30_000);
        expectNoneTwice(world.nodes.ranges);
        const wanted = Math.min(16, world.nodes.list().length);
        expect(world.nodes.ranges).toHaveLength(wanted);
        expect(world.pools()[0]?.used).toBe(wanted);
        await world.stop();
      }),
      { numRuns: 60 },
    );
  });
});

interface Written {
  readonly name: string;
  readonly land: () => Node;
  readonly late: (() => unknown)[];
}

async function become(fate: Fate, { name, land, late }: Written): Promise<Node> {
  switch (fate) {
    case "lands":
      return land();
    case "landsSilently":
      land();
      throw lostAnswer(name);
    case "isLost":
      throw lostAnswer(name);
    case "landsLate":
      late.push(land);
      throw lostAnswer(name);
    case "isRefused":
      throw kubeFailure("Forbidden", name);
  }
}

function ignoringRefusals(land: () => unknown): void {
  try {
    land();
  } catch {
    // The Node is gone or has its range by now.
  }
}

interface Move {
  readonly kind: string;
  readonly pick: number;
  readonly name: string;
}

function move(nodes: FakeNodes, { kind, pick, name }: Move): void {
  const known = nodes.list();
  if (kind === "come") nodes.register({ name });
  else nodes.remove(known[pick % Math.max(1, known.length)]?.metadata?.name ?? "");
}

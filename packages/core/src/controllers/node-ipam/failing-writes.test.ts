import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Node } from "../../kube/client.ts";
import { type FakeNodes, kubeFailure, lostAnswer } from "./testing/fake-nodes.ts";
import { IpamFixture } from "./testing/ipam-fixture.ts";
import { expectNoneTwice } from "./testing/none-twice.ts";

describe("a write that fails", () => {
  it("frees the block when it was certainly not made, and is retried", async () => {
    const fixture = new IpamFixture({ ranges: [["10.120.0.0/24", 24]] });
    const api: { isForbidden: boolean } = { isForbidden: true };
    fixture.nodes.onPatch = async (name, land) => {
      if (api.isForbidden) throw kubeFailure("Forbidden", name);
      return land();
    };
    fixture.nodes.register({ name: "n1" });
    await fixture.settle(20);
    expect(fixture.pools()[0]?.used).toBe(0);
    expect(fixture.lastOf("n1")).toMatchObject({
      outcome: "failed",
      reason: { code: "KubeForbidden" },
    });
    api.isForbidden = false;
    fixture.nodes.register({ name: "n2" });
    await fixture.settle(5_000);
    expect(fixture.nodes.ranges).toEqual(["10.120.0.0/24"]);
    await fixture.stop();
  });

  it("is checked when its answer was lost, and was made", async () => {
    const fixture = new IpamFixture();
    fixture.nodes.onPatch = async (name, land) => {
      land();
      throw lostAnswer(name);
    };
    fixture.nodes.register({ name: "n1" });
    await fixture.settle();
    expect(fixture.lastOf("n1")).toMatchObject({ state: "ok" });
    expect(fixture.nodes.patched).toEqual(["n1"]);
    expect(fixture.pools()[0]?.used).toBe(1);
    await fixture.stop();
  });

  it("keeps its block for the node while it may still take effect", async () => {
    const fixture = new IpamFixture({ ranges: [["10.120.0.0/24", 24]] });
    let landLate: () => Node = () => {
      throw new Error("nothing was written");
    };
    let tries = 0;
    fixture.nodes.onPatch = async (name, land) => {
      tries += 1;
      if (tries > 1) throw kubeFailure("Forbidden", name);
      landLate = land;
      throw lostAnswer(name);
    };
    fixture.nodes.register({ name: "n1" });
    await fixture.until(() => tries > 1);
    fixture.nodes.register({ name: "n2" });
    await fixture.settle();
    expect(fixture.lastOf("n2")?.reason.code).toBe("PodCIDRsExhausted");
    landLate();
    await fixture.settle(5_000);
    expect([fixture.nodes.ranges, fixture.lastOf("n1")?.state]).toEqual([["10.120.0.0/24"], "ok"]);
    fixture.nodes.onPatch = async (_name, land) => land();
    fixture.nodes.remove("n1");
    await fixture.settle();
    expect(fixture.nodes.rangesOf("n2")).toEqual(["10.120.0.0/24"]);
    await fixture.stop();
  });

  it("leaves a node alone that somebody else gave ranges meanwhile, and frees ours", async () => {
    const fixture = new IpamFixture();
    fixture.nodes.onPatch = async (name, land) => {
      fixture.nodes.follows = false;
      if (fixture.nodes.rangesOf(name).length === 0) {
        fixture.nodes.register({ name, podCIDRs: ["10.120.3.0/24"] });
      }
      return land();
    };
    fixture.nodes.register({ name: "n1" });
    await fixture.settle();
    expect(fixture.nodes.rangesOf("n1")).toEqual(["10.120.3.0/24"]);
    expect(fixture.lastOf("n1")).toMatchObject({ state: "ok" });
    expect(fixture.pools()[0]?.used).toBe(1);
    await fixture.stop();
  });

  it("frees the block of a node that disappeared before the answer came", async () => {
    const fixture = new IpamFixture();
    fixture.nodes.onPatch = async (name, land) => {
      const written = land();
      fixture.nodes.remove(name);
      return written;
    };
    fixture.nodes.register({ name: "n1" });
    await fixture.settle();
    expect(fixture.pools()[0]?.used).toBe(0);
    await fixture.stop();
  });
});

type Fate = "lands" | "landsSilently" | "isLost" | "landsLate" | "isRefused";

describe("whatever happens to the writes, and whichever nodes come and go", () => {
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
        const fixture = new IpamFixture({ ranges: [["10.120.0.0/20", 24]] });
        const late: (() => unknown)[] = [];
        let writes = 0;
        fixture.nodes.onPatch = (name, land) => {
          const fate = row[writes % row.length] ?? "lands";
          writes += 1;
          return become(fate, { name, land, late });
        };
        for (const [index, { kind, pick }] of steps.entries()) {
          move(fixture.nodes, { kind, pick, name: `n${index}` });
          if (pick % 3 === 0) await fixture.clock.advance(pick);
        }
        for (const land of late) ignoringRefusals(land);
        fixture.nodes.onPatch = async (_name, land) => land();
        await fixture.settle(30_000);
        expectNoneTwice(fixture.nodes.ranges);
        const wanted = Math.min(16, fixture.nodes.list().length);
        expect(fixture.nodes.ranges).toHaveLength(wanted);
        expect(fixture.pools()[0]?.used).toBe(wanted);
        await fixture.stop();
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
    // The Node is gone or already has its range.
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

import { describe, expect, it } from "vitest";
import { CREATED_AT, node } from "../testing/node-fixture.ts";
import { fixture, member, OURS, TABLE_OF_TWO, TWO } from "./testing/open-routes.ts";

describe("a range with another route", () => {
  it("is handed over by deletion before creation (R-34)", async () => {
    const made = await fixture({ nodes: [member(1)] });
    made.take();
    made.nodes.remove("n1");
    made.nodes.put(node({ name: "new", providerID: "p://new", podCIDRs: ["10.0.1.0/24"] }));
    await made.settle();
    expect(made.take().calls).toEqual(["DELETE 10.0.1.0/24", "POST 10.0.1.0/24"]);
    expect(made.routes.table).toEqual(["10.0.1.0/24 → p://new"]);
    expect(made.reported).toEqual([]);
  });

  it("gets to the right nodes when they were swapped (R-18)", async () => {
    const { routes } = await fixture({
      nodes: TWO,
      prepare: (table) =>
        table.put(
          { destination: "10.0.1.0/24", to: "p://n2", mark: { ours: "n2" } },
          { destination: "10.0.2.0/24", to: "p://n1", mark: OURS },
        ),
    });
    expect(routes.table).toEqual(TABLE_OF_TWO);
  });

  it("is not stolen, and the conflict is explained (R-45)", async () => {
    const made = await fixture({
      nodes: [member(1)],
      prepare: (table) => table.put({ destination: "10.0.1.0/24", to: "p://theirs" }),
    });
    await made.periods(2);
    expect(made.routes.table).toEqual(["10.0.1.0/24 → p://theirs"]);
    expect(made.take()).toMatchObject({ calls: [], conditions: ["n1 True/NoRouteCreated"] });
    expect(made.reported[0]).toMatch(
      /^n1 Could not create route uid-n1 10\.0\.1\.0\/24 for node n1: .*has no owner: it leads to the node's pod range/,
    );
    expect(made.state("n1")).toMatchObject({
      state: "stuck",
      reason: { code: "RouteUnowned", id: "r-10.0.1.0/24", proofs: ["range"] },
    });
    made.routes.cloud.clear();
    await made.periods(1);
    expect(made.routes.table).toEqual(["10.0.1.0/24 → p://n1"]);
  });

  it("belongs to the older node if two have it, until that one goes", async () => {
    const young = { podCIDRs: ["10.0.1.0/24"], createdAt: CREATED_AT + 1_000 };
    const made = await fixture({ nodes: [member(2, young), member(1)] });
    expect(made.routes.table).toEqual(["10.0.1.0/24 → p://n1"]);
    expect(made.state("n2")?.reason).toMatchObject({ code: "PodCIDRDuplicate", other: "n1" });
    made.nodes.remove("n1");
    await made.settle();
    expect(made.routes.table).toEqual(["10.0.1.0/24 → p://n2"]);
  });

  it("belongs to the older node if two overlap", async () => {
    const young = { podCIDRs: ["10.0.1.128/25"], createdAt: CREATED_AT + 1_000 };
    const made = await fixture({ nodes: [member(1), member(2, young)] });
    expect(made.routes.table).toEqual(["10.0.1.0/24 → p://n1"]);
    expect(made.state("n2")?.reason).toMatchObject({
      code: "PodCIDROverlap",
      other: "n1",
      otherCIDR: "10.0.1.0/24",
    });
  });

  it("gets one route when a node has it twice", async () => {
    const { routes } = await fixture({
      nodes: [member(1, { podCIDRs: ["10.0.1.0/24", "10.0.1.9/24"] })],
    });
    expect(routes.calls.filter((call) => call.startsWith("POST"))).toEqual(["POST 10.0.1.0/24"]);
  });

  it("that is invalid blocks only its node", async () => {
    const made = await fixture({ nodes: [member(1, { podCIDRs: ["10.0.1.0"] }), member(2)] });
    expect(made.routes.table).toEqual(["10.0.2.0/24 → p://n2"]);
    expect(made.state("n1")?.reason.code).toBe("PodCIDRInvalid");
    expect(made.conditions).toContain("n1 True/NoRouteCreated");
  });

  it("outside the cluster's ranges gets its route, as in upstream", async () => {
    const { routes } = await fixture({ nodes: [member(1, { podCIDRs: ["172.16.1.0/24"] })] });
    expect(routes.table).toEqual(["172.16.1.0/24 → p://n1"]);
  });
});

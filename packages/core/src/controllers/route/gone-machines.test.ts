import { describe, expect, it } from "vitest";
import { type NodeShape, node, UNINITIALIZED } from "../testing/node-fixture.ts";
import { fixture, member, OURS, TWO } from "./testing/open-routes.ts";
import type { RoutesFixtureOptions } from "./testing/route-fixture.ts";

describe("a node that registers again under its name", () => {
  /** The cloud has dropped the route together with the machine, between the last listing and the Node's return. */
  async function reborn() {
    const made = await fixture({
      nodes: [member(1, { providerID: "p://old" })],
      prepare: (routes) =>
        routes.put({ destination: "10.0.1.0/24", to: "p://old", toName: "n1", mark: OURS }),
      periodMs: 300_000,
    });
    made.routes.cloud.clear();
    return made;
  }

  it("does not count as having its predecessor's route: a listing from before it was first seen is no proof", async () => {
    const made = await reborn();
    made.take();
    const anew = { uid: "uid-anew", taints: [UNINITIALIZED], podCIDRs: ["10.0.1.0/24"] };
    made.nodes.put(node({ name: "n1", ...anew, resourceVersion: "9" }));
    await made.settle();
    const { calls, conditions } = made.take();
    expect(calls).toEqual(["POST 10.0.1.0/24"]);
    expect(conditions).toEqual(["n1 False/RouteCreated"]);
  });

  it("keeps the route that the cloud still has for it", async () => {
    const made = await reborn();
    made.routes.put({ destination: "10.0.1.0/24", to: "p://n1", toName: "n1", mark: OURS });
    made.take();
    const anew = { uid: "uid-anew", podCIDRs: ["10.0.1.0/24"] };
    made.nodes.put(node({ name: "n1", ...anew, resourceVersion: "9" }));
    await made.settle();
    const { calls, conditions } = made.take();
    expect(calls).toEqual([]);
    expect(conditions).toEqual(["n1 False/RouteCreated"]);
  });

  it("costs no extra listing if it has no route yet", async () => {
    const made = await fixture({ nodes: [member(2)], periodMs: 300_000 });
    made.take();
    for (let number = 3; number < 103; number += 1) made.nodes.put(member(number));
    await made.settle(1_000);
    const { calls, listings } = made.take();
    expect(calls).toHaveLength(100);
    expect(listings).toBe(0);
  });
});

describe("a node whose machine is gone", () => {
  async function silent(over: Partial<RoutesFixtureOptions> = {}) {
    const made = await fixture({ nodes: TWO, ...over });
    made.nodes.put(member(1, { ready: "Unknown", resourceVersion: "50" }));
    made.goneMachines.add("p://n1");
    return made.settle();
  }

  it("loses the route that the cloud calls a blackhole, and none is created for it again", async () => {
    const made = await silent();
    const [id, route] =
      [...made.routes.cloud].find(([, one]) => one.target.providerID === "p://n1") ?? [];
    if (id === undefined || route === undefined) throw new Error("n1 has no route");
    made.routes.cloud.set(id, { ...route, blackhole: true });
    made.take();
    await made.periods(20);
    expect(made.take().calls).toEqual(["DELETE 10.0.1.0/24"]);
    expect(made.state("n1")).toMatchObject({
      state: "waiting",
      failures: 0,
      reason: { code: "RouteWithoutMachine", providerID: "p://n1", requestId: "q-1" },
    });
    expect(made.reported).toEqual([]);
  });

  it("gets none even while its kubelet still counts as Ready, as it had a route before", async () => {
    const made = await fixture({ nodes: TWO });
    made.goneMachines.add("p://n1");
    made.routes.cloud.delete("r-1");
    made.take();
    await made.periods(10);
    expect(made.take().calls).toEqual([]);
    expect(made.state("n1")).toMatchObject({
      state: "waiting",
      reason: { code: "RouteWithoutMachine" },
    });
  });

  it("gets its route within half a minute when the cloud lists the machine again", async () => {
    const made = await silent();
    made.routes.cloud.delete("r-1");
    await made.periods(1);
    made.take();
    made.goneMachines.clear();
    await made.periods(3);
    expect(made.take().calls).toEqual(["POST 10.0.1.0/24"]);
  });

  it.each<[string, NodeShape]>([
    ["that is Ready and new", { ready: "True", providerID: "p://n1" }],
    [
      "that is new and waits for its initialisation (R-46)",
      { ready: "False", providerID: "p://n1", taints: [UNINITIALIZED] },
    ],
    ["without a provider ID", { ready: "False" }],
  ])("is not looked up for a node %s", async (_what, shape) => {
    const nodes = [node({ name: "n1", podCIDRs: ["10.0.1.0/24"], ...shape })];
    const { lookups, routes } = await fixture({ nodes });
    expect(routes.table).toHaveLength(1);
    expect(lookups).toEqual([]);
  });

  it("is not looked up while the route exists", async () => {
    const made = await silent();
    await made.periods(3);
    expect(made.lookups).toEqual([]);
  });
});

import { afterEach, describe, expect, it } from "vitest";
import { HOLD_ANNOTATION } from "../hold/hold.ts";
import { CREATED_AT, type NodeShape, node, UNINITIALIZED } from "../testing/node-fixture.ts";
import { RoutesFixture, type RoutesFixtureOptions } from "./testing/route-fixture.ts";
import { refusal } from "./testing/scripted-routes.ts";

const fixtures: RoutesFixture[] = [];

async function fixture(options: RoutesFixtureOptions = {}): Promise<RoutesFixture> {
  const made = new RoutesFixture(options);
  fixtures.push(made);
  return made.settle();
}

afterEach(async () => {
  for (const made of fixtures.splice(0)) await made.stop();
});

/** `n1` has the machine `p://n1` and the range 10.0.1.0/24. */
function member(number: number, shape: NodeShape = {}) {
  return node({
    name: `n${number}`,
    providerID: `p://n${number}`,
    podCIDRs: [`10.0.${number}.0/24`],
    ...shape,
  });
}

const TWO = [member(1), member(2)];
const TABLE_OF_TWO = ["10.0.1.0/24 → p://n1", "10.0.2.0/24 → p://n2"];
const OURS = { ours: "n1" } as const;

describe("another period", () => {
  const looks = (made: { readonly metrics: readonly string[] }) => made.metrics.length;

  it("holds at once, with the time that has passed counted", async () => {
    const made = await fixture({ nodes: [member(2)], periodMs: 300_000 });
    const before = looks(made);
    await made.clock.advance(60_000);
    expect(looks(made)).toBe(before);
    made.period.set(50_000);
    await made.clock.advance(0);
    expect(looks(made)).toBe(before + 1);
    await made.clock.advance(50_000);
    expect(looks(made)).toBe(before + 2);
    made.period.set(600_000);
    await made.clock.advance(500_000);
    expect(looks(made)).toBe(before + 2);
  });
});

describe("a node that registers anew under its name", () => {
  /** The cloud has dropped the route together with the machine, after the last listing and before the Node comes back. */
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

  it("is not taken to have the route of whoever had its name: what was listed before it was seen is no proof", async () => {
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

  it("costs no listing of its own where it has no route yet", async () => {
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

  it("loses the route that the cloud calls a blackhole, and none is tried for it again", async () => {
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

  it("is not tried either while its kubelet still counts as Ready, as it had a route before", async () => {
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
  ])("is not asked for of a node %s", async (_what, shape) => {
    const nodes = [node({ name: "n1", podCIDRs: ["10.0.1.0/24"], ...shape })];
    const { lookups, routes } = await fixture({ nodes });
    expect(routes.table).toHaveLength(1);
    expect(lookups).toEqual([]);
  });

  it("is not asked for while the route is there", async () => {
    const made = await silent();
    await made.periods(3);
    expect(made.lookups).toEqual([]);
  });
});

describe("a node with a pod range", () => {
  it("gets its route, and its condition says so (R-01)", async () => {
    const { routes, conditions } = await fixture({ nodes: TWO });
    expect(routes.table).toEqual(TABLE_OF_TWO);
    expect([...routes.cloud.values()].map(({ owner: mark }) => mark?.objectUid)).toEqual([
      "uid-n1",
      "uid-n2",
    ]);
    expect(new Set(conditions)).toEqual(
      new Set(["n1 False/RouteCreated", "n2 False/RouteCreated"]),
    );
  });

  it("whose route is there causes no write, and one listing a period (R-02)", async () => {
    const made = await fixture({ nodes: TWO });
    made.take();
    await made.periods(5);
    expect(made.take()).toEqual({ calls: [], listings: 5, conditions: [] });
  });

  it("gets a route that was lost back (R-03)", async () => {
    const made = await fixture({ nodes: TWO });
    made.take();
    made.routes.cloud.delete("r-1");
    await made.periods(1);
    expect(made.take().calls).toEqual(["POST 10.0.1.0/24"]);
  });

  it("gets the routes of both its families before its condition says so (R-16, R-17)", async () => {
    const nodes = [member(1, { podCIDRs: ["10.0.1.0/24", "fd00:0:0:1::/64"] })];
    const sixth: { isBroken: boolean } = { isBroken: true };
    const made = await fixture({
      nodes,
      prepare: (routes) => {
        routes.onCall = async (operation, what) => {
          if (sixth.isBroken && operation === "POST" && what.startsWith("fd00"))
            throw refusal("Unavailable", "down");
        };
      },
    });
    expect(made.take().conditions).toEqual(["n1 True/NoRouteCreated"]);
    expect(made.routes.table).toEqual(["10.0.1.0/24 → p://n1"]);
    sixth.isBroken = false;
    await made.settle(60_000);
    expect(made.take().conditions).toEqual(["n1 False/RouteCreated"]);
    expect(made.routes.table).toHaveLength(2);
  });

  it("of a family that the cloud has no routes for gets a condition that says so, without a call", async () => {
    const made = await fixture({
      nodes: [member(1, { podCIDRs: ["10.0.1.0/24", "fd00:0:0:1::/64"] })],
      families: ["IPv4"],
    });
    expect(made.take()).toMatchObject({
      calls: ["POST 10.0.1.0/24"],
      conditions: ["n1 True/NoRouteCreated"],
    });
    expect(made.state("n1")).toMatchObject({
      state: "stuck",
      reason: { code: "ProviderUnsupported", operation: "IPv6 routes" },
    });
    expect(made.reported[0]).toMatch(/fd00:0:0:1::\/64 for node n1: .*does not offer IPv6 routes/);
  });

  it("that is assigned later is served at once (R-12)", async () => {
    const made = await fixture({ nodes: [member(1, { podCIDRs: [] })] });
    expect(made.take().calls).toEqual([]);
    made.nodes.put(member(1, { resourceVersion: "5" }));
    await made.settle();
    expect(made.take().calls).toEqual(["POST 10.0.1.0/24"]);
  });

  it("waits while the node has no address, and its condition is not written (RW-10)", async () => {
    const made = await fixture({ nodes: [member(1, { addresses: [] })] });
    expect(made.take()).toMatchObject({ calls: [], conditions: [] });
    expect(made.state("n1")?.reason.code).toBe("NodeAddressesMissing");
    made.nodes.put(member(1, { resourceVersion: "5" }));
    await made.settle();
    expect(made.routes.table).toEqual(["10.0.1.0/24 → p://n1"]);
  });

  it("is served before the node is initialised (R-46)", async () => {
    const { routes, conditions } = await fixture({
      nodes: [node({ name: "n1", podCIDRs: ["10.0.1.0/24"] })],
    });
    expect(routes.table).toEqual(["10.0.1.0/24 → p://n1"]);
    expect(conditions).toEqual(["n1 False/RouteCreated"]);
  });

  it("of another cloud's machine is nothing of ours: no call, no condition, none missing", async () => {
    const made = await fixture({
      nodes: [
        member(1, { providerID: "other://n1" }),
        member(2, { providerID: "n2" }),
        member(3, { providerID: "p://n3" }),
      ],
    });
    await made.periods(2);
    expect(made.routes.table).toEqual(["10.0.3.0/24 → p://n3"]);
    expect(made.take()).toMatchObject({
      calls: ["POST 10.0.3.0/24"],
      conditions: ["n3 False/RouteCreated"],
    });
    expect(made.state("n1")).toMatchObject({ state: "ok", reason: { code: "ForeignNode" } });
    expect(made.state("n2")?.reason.code).toBe("ProviderIDMalformed");
    expect(made.state("t1")?.detail).toMatchObject({ missing: 0 });
    expect(made.reported.filter((line) => !line.startsWith("n2 "))).toEqual([]);
  });

  it("keeps its route while the node lingers, and loses it with the node (R-47)", async () => {
    const made = await fixture({ nodes: [member(1)] });
    made.nodes.put(member(1, { resourceVersion: "9", deletionTimestamp: "2026-01-01T00:00:00Z" }));
    await made.periods(2);
    expect(made.routes.table).toHaveLength(1);
    made.nodes.remove("n1");
    await made.settle();
    expect(made.routes.table).toEqual([]);
    expect(made.state("n1")?.state).toBe("gone");
  });
});

describe("a route without a mark that the cloud calls a blackhole without saying whose", () => {
  /** As AWS lists it once the machine of n1 is terminated. */
  async function forgotten() {
    const made = await fixture({ nodes: TWO, storesOwner: false });
    made.routes.cloud.delete("r-1");
    made.routes.put({ id: "left", destination: "10.0.1.0/24", blackhole: true });
    made.goneMachines.add("p://n1");
    made.take();
    return made;
  }

  it("goes with its node", async () => {
    const made = await forgotten();
    made.nodes.remove("n1");
    await made.periods(1);
    expect(made.routes.table).toEqual(["10.0.2.0/24 → p://n2"]);
    expect(made.state("n1")?.state).toBe("gone");
  });

  it("goes also where it becomes one after its node went", async () => {
    const made = await fixture({ nodes: TWO, storesOwner: false, periodMs: 300_000 });
    made.routes.onCall = (operation) =>
      operation === "DELETE" ? Promise.reject(refusal("Conflict", "later")) : Promise.resolve();
    made.nodes.remove("n1");
    await made.settle();
    made.routes.cloud.delete("r-1");
    made.routes.put({ id: "left", destination: "10.0.1.0/24", blackhole: true });
    made.routes.onCall = () => Promise.resolve();
    await made.periods(60);
    expect(made.routes.table).toEqual(["10.0.2.0/24 → p://n2"]);
  });

  it("makes way for the node that gets the range", async () => {
    const made = await forgotten();
    made.nodes.remove("n1");
    made.nodes.put(member(3, { podCIDRs: ["10.0.1.0/24"] }));
    await made.periods(1);
    expect(made.routes.table).toEqual(["10.0.1.0/24 → p://n3", "10.0.2.0/24 → p://n2"]);
  });

  it("goes where its node went while no controller ran", async () => {
    const made = await fixture({
      nodes: TWO,
      storesOwner: false,
      prepare: (table) =>
        table.put(
          { destination: "10.0.9.0/24", blackhole: true },
          { destination: "192.168.9.0/24", blackhole: true },
          { destination: "10.0.8.0/24", to: "p://nobody" },
        ),
    });
    await made.periods(1);
    expect(made.routes.table).toEqual([
      ...TABLE_OF_TWO,
      "10.0.8.0/24 → p://nobody",
      "192.168.9.0/24 → nowhere",
    ]);
  });

  it("waits for a second listing where many of them appear at once", async () => {
    const ranges = [3, 4, 5, 6, 7, 8].map((number) => `10.0.${number}.0/24`);
    const made = await fixture({ nodes: TWO, storesOwner: false });
    made.take();
    made.routes.put(...ranges.map((destination) => ({ destination, blackhole: true })));
    await made.periods(3);
    expect(made.take().calls).toEqual(ranges.map((destination) => `DELETE ${destination}`));
    expect(made.routes.table).toEqual(TABLE_OF_TWO);
  });
});

describe("routes that nobody asks for", () => {
  it("are deleted when they are ours and in the range (R-04, R-06, R-08)", async () => {
    const { routes } = await fixture({
      nodes: TWO,
      prepare: (table) =>
        table.put(
          { destination: "10.0.7.0/24", to: "p://x", mark: { ours: "unknown" } },
          { destination: "10.0.8.0/24", to: "p://y", mark: { ours: "else" }, blackhole: true },
          { destination: "10.0.9.0/24", mark: { ours: "third" } },
        ),
    });
    expect(routes.table).toEqual(TABLE_OF_TWO);
  });

  it("stay when they are outside the range or not ours (R-05, R-07, R-36)", async () => {
    const made = await fixture({
      nodes: TWO,
      prepare: (table) =>
        table.put(
          { destination: "192.168.1.0/24", to: "p://n1" },
          { destination: "192.168.2.0/24", to: "p://gone", mark: OURS, blackhole: true },
          { destination: "10.0.8.0/24", to: "p://theirs", mark: "theirs" },
          { destination: "10.0.9.0/24", to: "p://nobody" },
        ),
    });
    await made.periods(3);
    expect(made.routes.table).toEqual([
      "10.0.1.0/24 → p://n1",
      "10.0.2.0/24 → p://n2",
      "10.0.8.0/24 → p://theirs",
      "10.0.9.0/24 → p://nobody",
      "192.168.1.0/24 → p://n1",
      "192.168.2.0/24 → p://gone",
    ]);
    expect(made.state("t1")?.detail).toMatchObject({ ours: 3, foreignCount: 3, missing: 0 });
  });

  it("go from a node without ranges, and its condition says so (R-11)", async () => {
    const made = await fixture({
      nodes: [member(1, { podCIDRs: [] })],
      prepare: (table) => table.put({ destination: "10.0.5.0/24", to: "p://n1", mark: OURS }),
    });
    expect(made.routes.table).toEqual([]);
    expect(made.conditions).toEqual(["n1 True/NoRouteCreated"]);
  });

  it("wait for consent when they come later and have one proof alone", async () => {
    const made = await fixture({ nodes: [member(1, { podCIDRs: [] })] });
    made.routes.put({ destination: "10.0.5.0/24", to: "p://n1" });
    await made.periods(2);
    expect(made.routes.table).toEqual(["10.0.5.0/24 → p://n1"]);
    expect(made.state("n1")).toMatchObject({
      reason: { code: "RouteUnowned", id: "r-10.0.5.0/24", proofs: ["machine"] },
    });
  });

  it("go although one deletion fails at first, and no other node minds (R-15)", async () => {
    let failures = 1;
    const made = await fixture({
      nodes: TWO,
      prepare: (table) => {
        table.put({ destination: "10.0.5.0/24", to: "p://n1", mark: OURS });
        table.onCall = async (operation) => {
          if (operation === "DELETE" && failures-- > 0) throw refusal("Unavailable", "down");
        };
      },
    });
    expect(new Set(made.take().conditions)).toEqual(
      new Set(["n1 False/RouteCreated", "n2 False/RouteCreated"]),
    );
    await made.periods(1);
    expect(made.routes.table).toEqual(TABLE_OF_TWO);
  });
});

describe("a range that another route leads to", () => {
  it("changes hands by deletion before creation (R-34)", async () => {
    const made = await fixture({ nodes: [member(1)] });
    made.take();
    made.nodes.remove("n1");
    made.nodes.put(node({ name: "new", providerID: "p://new", podCIDRs: ["10.0.1.0/24"] }));
    await made.settle();
    expect(made.take().calls).toEqual(["DELETE 10.0.1.0/24", "POST 10.0.1.0/24"]);
    expect(made.routes.table).toEqual(["10.0.1.0/24 → p://new"]);
    expect(made.reported).toEqual([]);
  });

  it("comes to the right nodes when they were swapped (R-18)", async () => {
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

  it("is the older node's when two have it, until that one goes", async () => {
    const young = { podCIDRs: ["10.0.1.0/24"], createdAt: CREATED_AT + 1_000 };
    const made = await fixture({ nodes: [member(2, young), member(1)] });
    expect(made.routes.table).toEqual(["10.0.1.0/24 → p://n1"]);
    expect(made.state("n2")?.reason).toMatchObject({ code: "PodCIDRDuplicate", other: "n1" });
    made.nodes.remove("n1");
    await made.settle();
    expect(made.routes.table).toEqual(["10.0.1.0/24 → p://n2"]);
  });

  it("is the older node's when they overlap", async () => {
    const young = { podCIDRs: ["10.0.1.128/25"], createdAt: CREATED_AT + 1_000 };
    const made = await fixture({ nodes: [member(1), member(2, young)] });
    expect(made.routes.table).toEqual(["10.0.1.0/24 → p://n1"]);
    expect(made.state("n2")?.reason).toMatchObject({
      code: "PodCIDROverlap",
      other: "n1",
      otherCIDR: "10.0.1.0/24",
    });
  });

  it("is asked for once when a node has it twice", async () => {
    const { routes } = await fixture({
      nodes: [member(1, { podCIDRs: ["10.0.1.0/24", "10.0.1.9/24"] })],
    });
    expect(routes.calls.filter((call) => call.startsWith("POST"))).toEqual(["POST 10.0.1.0/24"]);
  });

  it("that is none blocks its node alone", async () => {
    const made = await fixture({ nodes: [member(1, { podCIDRs: ["10.0.1.0"] }), member(2)] });
    expect(made.routes.table).toEqual(["10.0.2.0/24 → p://n2"]);
    expect(made.state("n1")?.reason.code).toBe("PodCIDRInvalid");
    expect(made.conditions).toContain("n1 True/NoRouteCreated");
  });

  it("outside the cluster's ranges gets its route, as upstream does it", async () => {
    const { routes } = await fixture({ nodes: [member(1, { podCIDRs: ["172.16.1.0/24"] })] });
    expect(routes.table).toEqual(["172.16.1.0/24 → p://n1"]);
  });
});

describe("a cloud that fails", () => {
  it("at creation is retried, and the condition stays true meanwhile (R-13, R-33)", async () => {
    let failures = 2;
    const made = await fixture({
      nodes: [member(1)],
      prepare: (table) => {
        table.onCall = async (operation) => {
          if (operation === "POST" && failures-- > 0) throw refusal("Unavailable", "it is down");
        };
      },
    });
    expect(made.take().conditions).toEqual(["n1 True/NoRouteCreated"]);
    expect(made.reported[0]).toMatch(
      /Could not create route uid-n1 10\.0\.1\.0\/24 for node n1: .*it is down/,
    );
    await made.settle(60_000);
    expect(made.take().conditions).toEqual(["n1 False/RouteCreated"]);
  });

  it("at listing makes nobody write anything, and all comes right afterwards (R-14)", async () => {
    const listing: { isDown: boolean } = { isDown: true };
    const made = await fixture({
      nodes: TWO,
      prepare: (table) => {
        table.onCall = async (operation) => {
          if (listing.isDown && operation === "GET") throw refusal("Unavailable", "it is down");
        };
      },
    });
    await made.periods(3);
    expect(made.take()).toMatchObject({ calls: [], conditions: [] });
    expect(made.metrics).toContain("periodic error");
    listing.isDown = false;
    await made.settle(60_000);
    expect(made.routes.table).toEqual(TABLE_OF_TWO);
  });

  it("at listing keeps what was seen before from being acted upon (R-14)", async () => {
    const made = await fixture({ nodes: [member(1)] });
    made.take();
    made.routes.onCall = async (operation) => {
      if (operation === "GET") throw refusal("Unavailable", "it is down");
    };
    await made.periods(1);
    made.nodes.put(member(2));
    await made.settle(5_000);
    expect(made.take()).toMatchObject({ calls: [], conditions: [] });
  });

  it("with a full table names its quota, and goes on when a route was removed (R-43)", async () => {
    const made = await fixture({
      nodes: TWO,
      prepare: (table) => {
        table.capacity = 1;
      },
    });
    const full = made.state("n1")?.reason.code === "RouteTableFull" ? "n1" : "n2";
    expect(made.state(full)?.reason).toMatchObject({ message: "The table is full." });
    expect(made.conditions).toContain(`${full} True/NoRouteCreated`);
    await made.settle(600_000);
    made.routes.capacity = 2;
    await made.periods(2);
    expect(made.routes.table).toEqual(TABLE_OF_TWO);
  });

  it("does not make the period bring forward what is left to its back-off", async () => {
    const made = await fixture({
      nodes: [member(1)],
      prepare: (table) => {
        table.onCall = async (operation) => {
          if (operation === "POST") throw refusal("Unavailable", "it is down");
        };
      },
    });
    await made.settle(600_000);
    made.take();
    await made.settle(600_000);
    expect(made.take().calls.length).toBeLessThan(15);
  });

  it("that lost the answer of a creation has one route in the end (R-44)", async () => {
    let lost = 1;
    const made = await fixture({
      nodes: [member(1)],
      prepare: (table) => {
        table.onCall = async (operation) => {
          if (operation !== "POST" || lost-- <= 0) return;
          table.put({ id: "r-lost", destination: "10.0.1.0/24", to: "p://n1", mark: OURS });
          throw refusal("Unavailable", "the answer was lost");
        };
      },
    });
    await made.periods(1);
    expect(made.routes.table).toEqual(["10.0.1.0/24 → p://n1"]);
    expect(made.conditions.at(-1)).toBe("n1 False/RouteCreated");
  });
});

describe("the condition", () => {
  const calico = { type: "NetworkUnavailable", status: "False", reason: "CalicoIsUp" } as const;
  const withCondition = (condition: typeof calico | undefined) => {
    const one = member(1);
    const conditions = condition === undefined ? [] : [condition];
    return { ...one, status: { ...one.status, conditions } };
  };

  it("of somebody else is written over once a period, as upstream does it (R-22)", async () => {
    const made = await fixture({ nodes: [withCondition(calico)] });
    expect(made.take().conditions).toEqual(["n1 False/RouteCreated"]);
    made.nodes.put({
      ...withCondition(calico),
      metadata: { ...member(1).metadata, resourceVersion: "9" },
    });
    await made.settle();
    expect(made.take().conditions).toEqual([]);
    await made.periods(1);
    expect(made.take().conditions).toEqual(["n1 False/RouteCreated"]);
  });

  it("of somebody else is left alone on demand (RW-8)", async () => {
    const made = await fixture({
      nodes: [withCondition(calico), member(2)],
      policy: { condition: "own" },
    });
    expect(made.take().conditions).toEqual(["n2 False/RouteCreated"]);
  });
});

describe("a listing that makes many routes look stale at once", () => {
  const many = Array.from({ length: 20 }, (_, index) => member(index + 1));

  it("is not believed alone (RW-12)", async () => {
    const next: { isWrong: boolean } = { isWrong: false };
    const made = await fixture({ nodes: many });
    made.take();
    const list = made.routes.list.bind(made.routes);
    made.routes.list = async (context) => {
      const listing = await list(context);
      if (!next.isWrong) return listing;
      next.isWrong = false;
      const target = { providerID: "p://who", nodeName: undefined };
      return { ...listing, routes: listing.routes.map((route) => ({ ...route, target })) };
    };
    next.isWrong = true;
    await made.periods(3);
    expect(made.take().calls).toEqual([]);
    expect(made.routes.cloud.size).toBe(20);
  });

  it("is believed when the next one says the same", async () => {
    const made = await fixture({
      nodes: many,
      prepare: (table) => {
        for (const { metadata } of many) {
          const name = metadata?.name ?? "";
          const destination = `10.0.${name.slice(1)}.0/24`;
          table.put({ destination, to: "p://old", mark: { ours: name } });
        }
      },
    });
    expect(made.take().calls).toEqual([]);
    expect(made.state("n1")?.reason).toMatchObject({
      code: "RouteDeletionsUnconfirmed",
      routes: 20,
      of: 20,
    });
    await made.settle(3_000);
    expect(made.routes.table).toContain("10.0.7.0/24 → p://n7");
    expect(made.routes.table.filter((line) => line.endsWith("old"))).toEqual([]);
  });

  it("needs no second one for nodes that were seen going", async () => {
    const made = await fixture({ nodes: many });
    for (const { metadata } of many) made.nodes.remove(metadata?.name ?? "");
    await made.settle();
    expect(made.routes.table).toEqual([]);
  });
});

describe("a user", () => {
  it("who holds a node keeps its routes from being touched", async () => {
    const made = await fixture({
      nodes: [member(1, { annotations: { [HOLD_ANNOTATION]: "repair" } })],
    });
    await made.periods(2);
    expect(made.take()).toMatchObject({ calls: [], conditions: [] });
    expect(made.state("n1")?.state).toBe("held");
  });

  it("who lifts a hold by kubectl gets the cloud's word of now", async () => {
    const held = member(1, { annotations: { [HOLD_ANNOTATION]: "repair" } });
    const made = await fixture({ nodes: [held] });
    made.take();
    const lifted = { ...held, metadata: { ...held.metadata, annotations: {} } };
    made.nodes.put(lifted);
    await made.settle();
    expect(made.take()).toMatchObject({ calls: ["POST 10.0.1.0/24"], listings: 1 });
  });

  it("who asks for a retry gets the cloud's word of now", async () => {
    const made = await fixture({ nodes: [member(1)] });
    made.routes.cloud.clear();
    made.take();
    const report = await made.retry({ kind: "Node", name: "n1", uid: "uid-n1" });
    expect(report).toMatchObject({ kind: "ran", run: { outcome: "changed" } });
    expect(made.take()).toMatchObject({ calls: ["POST 10.0.1.0/24"] });
  });
});

it("writes nothing in a dry run and reports what it would do", async () => {
  const made = await fixture({ nodes: [member(1)], dryRun: true });
  expect(made.take()).toMatchObject({ calls: [], conditions: [] });
  expect(made.state("n1")).toMatchObject({
    drift: "drifted",
    detail: { cells: [{ cidr: "10.0.1.0/24", verdict: "add", wantedNextHop: "p://n1" }] },
  });
});

it("serves a wave of nodes from one listing", async () => {
  const made = await fixture();
  await made.periods(1);
  made.take();
  for (let number = 1; number <= 100; number++) made.nodes.put(member(number));
  await made.settle();
  const { calls, listings } = made.take();
  expect(calls).toHaveLength(100);
  expect(listings).toBeLessThanOrEqual(1);
});

import { describe, expect, it } from "vitest";
import { HOLD_ANNOTATION } from "../hold/hold.ts";
import { node } from "../testing/node-fixture.ts";
import { fixture, member, TABLE_OF_TWO, TWO } from "./testing/open-routes.ts";
import { refusal } from "./testing/scripted-routes.ts";

describe("a new period", () => {
  const looks = (made: { readonly metrics: readonly string[] }) => made.metrics.length;

  it("applies at once, with the elapsed time counted", async () => {
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

  it("whose route exists causes no write, and one listing a period (R-02)", async () => {
    const made = await fixture({ nodes: TWO });
    made.take();
    await made.periods(5);
    expect(made.take()).toEqual({ calls: [], listings: 5, conditions: [] });
  });

  it("gets a lost route back (R-03)", async () => {
    const made = await fixture({ nodes: TWO });
    made.take();
    made.routes.cloud.delete("r-1");
    await made.periods(1);
    expect(made.take().calls).toEqual(["POST 10.0.1.0/24"]);
  });

  it("gets the routes of both its families before its condition reports them (R-16, R-17)", async () => {
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

  it("of a family that the cloud's routes do not support gets a condition that says so, without a call", async () => {
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

  it("of another cloud's machine is ignored: no call, no condition, none reported missing", async () => {
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

describe("the condition", () => {
  const calico = { type: "NetworkUnavailable", status: "False", reason: "CalicoIsUp" } as const;
  const withCondition = (condition: typeof calico | undefined) => {
    const one = member(1);
    const conditions = condition === undefined ? [] : [condition];
    return { ...one, status: { ...one.status, conditions } };
  };

  it("of somebody else is overwritten once a period, as in upstream (R-22)", async () => {
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

  it("of somebody else is left alone if the flag says so (RW-8)", async () => {
    const made = await fixture({
      nodes: [withCondition(calico), member(2)],
      policy: { condition: "own" },
    });
    expect(made.take().conditions).toEqual(["n2 False/RouteCreated"]);
  });
});

describe("a user", () => {
  it("who holds a node protects its routes from being touched", async () => {
    const made = await fixture({
      nodes: [member(1, { annotations: { [HOLD_ANNOTATION]: "repair" } })],
    });
    await made.periods(2);
    expect(made.take()).toMatchObject({ calls: [], conditions: [] });
    expect(made.state("n1")?.state).toBe("held");
  });

  it("who releases a hold by kubectl gets the cloud's current state", async () => {
    const held = member(1, { annotations: { [HOLD_ANNOTATION]: "repair" } });
    const made = await fixture({ nodes: [held] });
    made.take();
    const lifted = { ...held, metadata: { ...held.metadata, annotations: {} } };
    made.nodes.put(lifted);
    await made.settle();
    expect(made.take()).toMatchObject({ calls: ["POST 10.0.1.0/24"], listings: 1 });
  });

  it("who asks for a retry gets the cloud's current state", async () => {
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

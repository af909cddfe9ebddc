import { describe, expect, it } from "vitest";
import { objectKind, partKindsOf } from "./kinds.ts";
import type { KnownObject } from "./known-object.ts";

function read(kind: string, over: Partial<KnownObject>) {
  return objectKind(kind).read({
    ...{ cluster: "c", kind, name: "x", uid: "u", parts: {}, dryRun: false },
    ...over,
  });
}

const LB = { id: "lb-1", name: "a1", type: "network", state: "active", parts: [] };

function balancer(over: object = {}) {
  return {
    kind: "balancer",
    actual: { ...LB, addresses: ["192.0.2.7"] },
    ...{ aspects: [], ignored: [], members: [], membersIn: 2, membersWanted: 3 },
    ...{ published: [], ports: [] },
    ...over,
  };
}

describe("a Service's load balancer", () => {
  it("has the addresses that the Service publishes, IPs before names", () => {
    const published = [{ ip: "203.0.113.1", hostname: "a.example" }, { hostname: "b.example" }];
    const { shared, own } = read("Service", { detail: balancer({ published }) });
    expect(own.addresses).toEqual(["203.0.113.1", "b.example"]);
    expect(shared.address).toBe("203.0.113.1");
  });

  it("has its own address while nothing is published", () => {
    const { shared, own } = read("Service", { detail: balancer() });
    expect([own.addresses, shared.address]).toEqual([["192.0.2.7"], "192.0.2.7"]);
    expect(shared.providerID).toBe("lb-1");
    expect(shared.words).toEqual(["lb-1", "a1", "192.0.2.7"]);
  });

  it("has no address if nothing is published and there is none in the cloud", () => {
    const { shared, own } = read("Service", { detail: balancer({ actual: undefined }) });
    expect([own.addresses, shared.address, shared.providerID, own.type]).toEqual([
      ...[[], undefined, undefined, undefined],
    ]);
  });

  it.each([
    [2, 3, 2 / 3],
    [3, 3, 1],
    [0, 3, 0],
    [0, 0, undefined],
  ])("with %i of %i nodes behind it has the share %d", (membersIn, membersWanted, share) => {
    const { own } = read("Service", { detail: balancer({ membersIn, membersWanted }) });
    expect(own.membersShare).toBe(share);
  });
});

describe("a load balancer without a Service", () => {
  const detail = {
    kind: "orphan",
    actual: { ...LB, addresses: ["192.0.2.7"], createdAt: 5 },
    ...{ serviceUid: "u-9", service: "shop/web", firstSeenAt: 7 },
  };

  it("is also found by its former Service, and is as old as the cloud says", () => {
    const { shared } = read("LoadBalancer", { detail });
    expect(shared.words).toEqual(["lb-1", "a1", "192.0.2.7", "shop/web", "u-9"]);
    expect(shared.createdAt).toBe(5);
  });

  it("is as old as was reported, if that is known", () => {
    expect(read("LoadBalancer", { detail, createdAt: 3 }).shared.createdAt).toBe(3);
  });
});

describe("the routes of a Node", () => {
  const cell = (verdict: string, table?: string) => ({
    ...{ cidr: "10.0.0.0/24", family: "IPv4", verdict, wantedNextHop: "s://1" },
    ...(table === undefined
      ? {}
      : { route: { id: `r-${table}`, table, name: "r", destination: "10.0.0.0/24" } }),
  });
  const part = (controller: string, ...cells: object[]) => ({
    [controller]: {
      ...{ controller, at: 1, state: "ok", reason: { code: "InStep" }, since: 1, failures: 0 },
      ...{ drift: "inStep", runId: "r", outcome: "unchanged", detail: { kind: "routes", cells } },
    } as never,
  });
  const ofRoutes = (...cells: object[]) => part("node-route-controller", ...cells);

  it("count as wanted unless they are to be removed, and as kept only if they are correct", () => {
    const cells = ["keep", "keep", "add", "update", "missing", "foreign", "remove"];
    const { own } = read("NodeRoutes", { parts: ofRoutes(...cells.map((one) => cell(one))) });
    expect([own.routesWanted, own.routesKept]).toEqual([6, 2]);
    expect(own.rangeVerdicts).toEqual(["keep", "add", "update", "missing", "foreign", "remove"]);
  });

  it("are in the table of the first route", () => {
    const parts = ofRoutes(cell("add"), cell("keep", "t-2"), cell("keep", "t-3"));
    expect(read("NodeRoutes", { parts }).own.table).toBe("t-2");
    expect(read("NodeRoutes", { parts: ofRoutes(cell("add")) }).own.table).toBeUndefined();
  });

  it("are those that their own controller reports, not another's", () => {
    const parts = part("cloud-node-controller", cell("keep", "t-1"));
    expect(read("NodeRoutes", { parts }).own).toMatchObject({ routesWanted: 0, table: undefined });
  });

  it("are found by the same words as the Node", () => {
    const { shared } = read("Node", { parts: ofRoutes(cell("keep", "t-2")) });
    expect(shared.words).toEqual([undefined, "10.0.0.0/24", "r-t-2"]);
  });

  it("are the only part of a Node with a row of its own", () => {
    expect(partKindsOf("Node").map(({ name }) => name)).toEqual(["NodeRoutes"]);
    expect(partKindsOf("Service")).toEqual([]);
  });
});

describe("a Node", () => {
  const facts = { addresses: [], labels: {}, asOf: 1 };
  const node = { createdAt: 1_000, ready: "True" as const, taints: [], facts };

  it.each([
    [undefined, undefined],
    [1_000, 0],
    [1_500.4, 500],
    [900, 0],
  ])("initialised at %s took %s ms: differing clocks never give a negative time", (at, ms) => {
    expect(
      read("Node", { node, ...(at === undefined ? {} : { initialisedAt: at }) }).own.initMs,
    ).toBe(ms);
  });

  it("shows the cloud's facts only if it has none itself", () => {
    const own = { ...facts, zone: "own", addresses: [{ type: "InternalIP", address: "10.0.0.1" }] };
    const cloud = { ...facts, zone: "cloud", instanceType: "m1", addresses: [] };
    const shown = read("Node", { node: { ...node, facts: own }, cloud }).own;
    expect(shown).toMatchObject({ zone: "own", instanceType: "m1", addresses: own.addresses });
  });
});

describe("a volume", () => {
  const detail = {
    ...{ kind: "volume", volumeId: "v-1", storageClass: "fast", claim: "shop/data" },
    labels: { wanted: { zone: "z-2" }, has: { zone: "z-1", region: "r-1" } },
    ...{ affinity: "set", sizeGiB: { volume: 10 }, changedAt: 9 },
  };

  it("is where it should be and, if nothing is wanted, where it is", () => {
    const { shared, own } = read("PersistentVolume", { detail });
    expect([own.zone, own.storageClass, own.changedAt]).toEqual(["z-2", "fast", 9]);
    expect(shared.words).toEqual(["v-1", "shop/data", "fast", "z-2", "r-1"]);
    expect(shared.providerID).toBe("v-1");
  });
});

it("a route that no Node needs is found by its target and its owner", () => {
  const detail = {
    ...{ kind: "route", table: "t-1", destination: "10.0.9.0/24", nextHop: "s://9" },
    ...{ owner: "u-9", blackhole: false },
  };
  const { shared, own } = read("Route", { detail });
  expect([shared.words, own.table]).toEqual([["10.0.9.0/24", "s://9", "u-9"], "t-1"]);
});

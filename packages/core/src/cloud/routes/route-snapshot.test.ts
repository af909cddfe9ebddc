import type { CloudRoute, RouteListing } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { RouteSnapshot } from "./route-snapshot.ts";

const ANY_AGE = { maxAgeMs: Number.POSITIVE_INFINITY } as const;

function route(id: string, fields: Partial<CloudRoute> = {}): CloudRoute {
  return {
    id,
    table: "t-1",
    name: id,
    destination: `10.120.${id.slice(1)}.0/24`,
    target: { providerID: `p://${id}`, nodeName: undefined },
    comparesAddresses: false,
    targetAddresses: [],
    blackhole: false,
    owner: undefined,
    ...fields,
  };
}

function listing(...ids: readonly string[]): RouteListing {
  return {
    routes: ids.map((id) => route(id)),
    tables: [
      { id: "t-1", name: "main", used: ids.length, capacity: 5 },
      { id: "t-2", name: "other", used: 3 },
    ],
  };
}

type Happening = (snapshot: RouteSnapshot) => void;

const creates =
  (id: string, fields?: Partial<CloudRoute>): Happening =>
  (snapshot) =>
    snapshot.created(route(id, fields));
const removes =
  (id: string, fields?: Partial<CloudRoute>): Happening =>
  (snapshot) =>
    snapshot.removed(route(id, fields));

describe("a snapshot of the route tables", () => {
  it.each<[string, readonly Happening[], readonly string[], number]>([
    ["nothing", [], ["r1", "r2"], 2],
    ["what was created", [creates("r3")], ["r1", "r2", "r3"], 3],
    ["what was created again as it is", [creates("r2")], ["r1", "r2"], 2],
    ["what was removed", [removes("r1")], ["r2"], 1],
    ["what was removed and is not there", [removes("r9")], ["r1", "r2"], 2],
    ["what was created and removed", [creates("r3"), removes("r3")], ["r1", "r2"], 2],
    ["what was removed and created anew", [removes("r1"), creates("r1")], ["r2", "r1"], 2],
    [
      "what happened to another table",
      [creates("r7", { table: "t-2" }), creates("r8", { table: "t-2" })],
      ["r1", "r2", "r7", "r8"],
      2,
    ],
  ])(
    "shows after a listing of two %s, and the same while the listing was in progress",
    (...row) => {
      const [_case, happenings, ids, used] = row;
      const afterwards = new RouteSnapshot(createManualClock());
      afterwards.shows(afterwards.asks(), listing("r1", "r2"));
      for (const happens of happenings) happens(afterwards);
      const meanwhile = new RouteSnapshot(createManualClock());
      const asked = meanwhile.asks();
      for (const happens of happenings) happens(meanwhile);
      meanwhile.shows(asked, listing("r1", "r2"));
      for (const snapshot of [afterwards, meanwhile]) {
        const seen = snapshot.get(ANY_AGE);
        expect(seen?.routes.map(({ id }) => id)).toEqual(ids);
        expect(seen?.tables[0]?.used).toBe(used);
      }
    },
  );

  it("does not count a route twice that the listing already shows", () => {
    const snapshot = new RouteSnapshot(createManualClock());
    const asked = snapshot.asks();
    snapshot.created(route("r2"));
    snapshot.shows(asked, listing("r1", "r2"));
    expect(snapshot.get(ANY_AGE)?.tables[0]?.used).toBe(2);
  });

  it("shows a created route as it was answered, not as an older listing has it", () => {
    const snapshot = new RouteSnapshot(createManualClock());
    const asked = snapshot.asks();
    snapshot.created(route("r1", { name: "answered" }));
    snapshot.shows(asked, listing("r1"));
    expect(snapshot.get(ANY_AGE)?.routes).toMatchObject([{ name: "answered" }]);
  });

  it("does not repeat what the next listing has seen by itself", () => {
    const snapshot = new RouteSnapshot(createManualClock());
    snapshot.shows(snapshot.asks(), listing("r1"));
    snapshot.created(route("r2"));
    snapshot.shows(snapshot.asks(), listing("r1"));
    expect(snapshot.get(ANY_AGE)?.routes.map(({ id }) => id)).toEqual(["r1"]);
  });

  it("is as old as the listing's start, whatever was changed since", async () => {
    const clock = createManualClock();
    const snapshot = new RouteSnapshot(clock);
    const startedAt = clock.now();
    const asked = snapshot.asks();
    await clock.advance(2_000);
    snapshot.shows(asked, listing("r1"));
    await clock.advance(1_000);
    snapshot.created(route("r2"));
    expect(snapshot.get({ maxAgeMs: 3_000 })).toBeUndefined();
    expect(snapshot.get({ maxAgeMs: 3_001 })).toMatchObject({ asOf: startedAt });
  });

  it("is the same value until something changes, so that results derived from it can be kept", () => {
    const snapshot = new RouteSnapshot(createManualClock());
    snapshot.shows(snapshot.asks(), listing("r1"));
    const seen = snapshot.get(ANY_AGE);
    expect(snapshot.get(ANY_AGE)).toBe(seen);
    snapshot.created(route("r2"));
    expect(snapshot.get(ANY_AGE)).not.toBe(seen);
    expect(seen?.routes).toHaveLength(1);
  });

  it("is empty after a doubt, until a listing that started later", () => {
    const snapshot = new RouteSnapshot(createManualClock());
    snapshot.shows(snapshot.asks(), listing("r1"));
    const early = snapshot.asks();
    expect(snapshot.awaitsAll).toBe(true);
    snapshot.doubt();
    expect(snapshot.awaitsAll).toBe(false);
    expect(snapshot.get(ANY_AGE)).toBeUndefined();
    snapshot.shows(early, listing("r1"));
    expect(snapshot.get(ANY_AGE)).toBeUndefined();
    snapshot.shows(snapshot.asks(), listing("r1", "r2"));
    expect(snapshot.get(ANY_AGE)?.routes).toHaveLength(2);
  });

  it("stays as it was when a listing fails", () => {
    const snapshot = new RouteSnapshot(createManualClock());
    snapshot.shows(snapshot.asks(), listing("r1"));
    snapshot.asks();
    snapshot.created(route("r2"));
    snapshot.fails();
    expect(snapshot.awaitsAll).toBe(false);
    expect(snapshot.get(ANY_AGE)?.routes.map(({ id }) => id)).toEqual(["r1", "r2"]);
  });
});

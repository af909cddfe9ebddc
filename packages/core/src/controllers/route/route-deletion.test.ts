import { describe, expect, it } from "vitest";
import { fixture, member, OURS, TABLE_OF_TWO, TWO } from "./testing/open-routes.ts";
import { refusal } from "./testing/scripted-routes.ts";

describe("a route without a mark that the cloud calls a blackhole without naming its machine", () => {
  /** Sets up what AWS lists once the machine of n1 is terminated. */
  async function forgotten() {
    const made = await fixture({ nodes: TWO, storesOwner: false });
    made.routes.cloud.delete("r-1");
    made.routes.put({ id: "left", destination: "10.0.1.0/24", blackhole: true });
    made.goneMachines.add("p://n1");
    made.take();
    return made;
  }

  it("is deleted with its node", async () => {
    const made = await forgotten();
    made.nodes.remove("n1");
    await made.periods(1);
    expect(made.routes.table).toEqual(["10.0.2.0/24 → p://n2"]);
    expect(made.state("n1")?.state).toBe("gone");
  });

  it("is deleted even if it becomes one after its node is gone", async () => {
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

  it("is deleted if its node went while no controller ran", async () => {
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

  it("waits for a second listing if many of them appear at once", async () => {
    const ranges = [3, 4, 5, 6, 7, 8].map((number) => `10.0.${number}.0/24`);
    const made = await fixture({ nodes: TWO, storesOwner: false });
    made.take();
    made.routes.put(...ranges.map((destination) => ({ destination, blackhole: true })));
    await made.periods(3);
    expect(made.take().calls).toEqual(ranges.map((destination) => `DELETE ${destination}`));
    expect(made.routes.table).toEqual(TABLE_OF_TWO);
  });
});

describe("unwanted routes", () => {
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

  it("are deleted from a node without ranges, and its condition reports that (R-11)", async () => {
    const made = await fixture({
      nodes: [member(1, { podCIDRs: [] })],
      prepare: (table) => table.put({ destination: "10.0.5.0/24", to: "p://n1", mark: OURS }),
    });
    expect(made.routes.table).toEqual([]);
    expect(made.conditions).toEqual(["n1 True/NoRouteCreated"]);
  });

  it("wait for consent when they come later and have only one proof", async () => {
    const made = await fixture({ nodes: [member(1, { podCIDRs: [] })] });
    made.routes.put({ destination: "10.0.5.0/24", to: "p://n1" });
    await made.periods(2);
    expect(made.routes.table).toEqual(["10.0.5.0/24 → p://n1"]);
    expect(made.state("n1")).toMatchObject({
      reason: { code: "RouteUnowned", id: "r-10.0.5.0/24", proofs: ["machine"] },
    });
  });

  it("are deleted although one deletion fails at first, without affecting another node (R-15)", async () => {
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

  it("needs no second one for nodes whose deletion was seen", async () => {
    const made = await fixture({ nodes: many });
    for (const { metadata } of many) made.nodes.remove(metadata?.name ?? "");
    await made.settle();
    expect(made.routes.table).toEqual([]);
  });
});

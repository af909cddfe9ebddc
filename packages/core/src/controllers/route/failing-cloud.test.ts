import { describe, expect, it } from "vitest";
import { fixture, member, OURS, TABLE_OF_TWO, TWO } from "./testing/open-routes.ts";
import { refusal } from "./testing/scripted-routes.ts";

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

  it("at listing prevents all writes, and everything is corrected afterwards (R-14)", async () => {
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

  it("at listing keeps earlier answers from being acted upon (R-14)", async () => {
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

  it("with a full table names its quota, and continues when a route was removed (R-43)", async () => {
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

  it("does not make the period retry earlier than the backoff", async () => {
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

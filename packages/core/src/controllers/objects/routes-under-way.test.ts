import { beforeEach, describe, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../../model/testing/manual-clock.ts";
import { RoutesUnderWay } from "./routes-under-way.ts";

let clock: ManualClock;
let underWay: RoutesUnderWay;
let gone: string[];

beforeEach(() => {
  clock = createManualClock();
  underWay = new RoutesUnderWay(clock);
  gone = [];
});

function wait(name: string): void {
  void underWay.settled(name).then(() => gone.push(name));
}

describe("nodes that wait for their routes", () => {
  it("continue at once if none are being made", async () => {
    wait("node-1");
    await clock.advance(0);
    expect(gone).toEqual(["node-1"]);
  });

  it("continue when the run for their own has ended", async () => {
    for (const name of ["node-1", "node-2"]) underWay.begin(name);
    for (const name of ["node-1", "node-2"]) wait(name);
    await clock.advance(50);
    expect(gone).toEqual([]);
    underWay.end("node-2");
    await clock.advance(0);
    expect(gone).toEqual(["node-2"]);
    wait("node-2");
    await clock.advance(0);
    expect(gone).toEqual(["node-2", "node-2"]);
  });

  it("wait even before the route controller knows its Nodes, and continue if it does not know theirs", async () => {
    underWay.expect();
    for (const name of ["node-1", "node-2"]) wait(name);
    await clock.advance(50);
    expect(gone).toEqual([]);
    underWay.started(["node-1", "node-3"]);
    await clock.advance(0);
    expect(gone).toEqual(["node-2"]);
    wait("node-3");
    underWay.end("node-1");
    await clock.advance(0);
    expect(gone).toEqual(["node-2", "node-1"]);
    wait("node-4");
    await clock.advance(0);
    expect(gone.at(-1)).toBe("node-4");
  });

  it("also lose patience with a route controller that does not start", async () => {
    underWay.expect();
    wait("node-1");
    await clock.advance(2_000);
    wait("node-2");
    await clock.advance(0);
    expect(gone).toEqual(["node-1", "node-2"]);
  });

  it("are all released when one has waited for two seconds, and none waits for the next half minute", async () => {
    for (const name of ["node-1", "node-2", "node-3"]) underWay.begin(name);
    wait("node-1");
    await clock.advance(1_500);
    wait("node-2");
    await clock.advance(500);
    expect(gone).toEqual(["node-1", "node-2"]);
    wait("node-3");
    await clock.advance(0);
    expect(gone).toEqual(["node-1", "node-2", "node-3"]);
    await clock.advance(30_000);
    wait("node-1");
    await clock.advance(1_000);
    expect(gone).toHaveLength(3);
  });

  it("leave no timer behind", async () => {
    underWay.begin("node-1");
    wait("node-1");
    underWay.end("node-1");
    await clock.advance(0);
    expect(clock.pending).toBe(0);
  });
});

import { describe, expect, it } from "vitest";
import type { Measured } from "./batch.ts";
import type { Cell } from "./cells.ts";
import { aimsOf, verdict } from "./verdict.ts";

const WAVE: Cell = { scenario: "wave", flags: "default", nodes: 500, who: "headless" };
const GOOD = {
  seconds: 4,
  createSeconds: 2,
  listings: 1,
  nodeWritesPerItem: 2,
  nodesWithEvent: 500,
  rssPeakMiB: 140,
};
const UPSTREAM = { seconds: 70, rssPeakMiB: 75 };

function measured(cell: Partial<Cell>, numbers: Record<string, number>): Measured {
  return { cell: { ...WAVE, ...cell }, runs: 1, numbers, spread: {} };
}

function judge(
  cell: Partial<Cell>,
  numbers: Record<string, number>,
  theirs: Record<string, number> = UPSTREAM,
): string {
  return verdict(aimsOf(measured(cell, numbers), measured({ ...cell, who: "upstream" }, theirs)));
}

describe("the verdict on a wave", () => {
  it.each([
    ["everything as aimed for", {}, {}, "met"],
    ["as long as creating takes, and 2 s", {}, { seconds: 4.3 }, "met"],
    ["longer than that", {}, { seconds: 4.31 }, "**seconds 4.31 > 4.3**"],
    ["tuned as fast as upstream", { flags: "tuned" }, { seconds: 70 }, "met"],
    ["tuned and slower", { flags: "tuned" }, { seconds: 71 }, "**seconds 71 > 70**"],
    ["throttled within a tenth", { flags: "throttled" }, { seconds: 7 }, "met"],
    ["throttled and slower", { flags: "throttled" }, { seconds: 8 }, "**seconds 8 > 7**"],
    ["too many listings", {}, { listings: 11 }, "**listings 11 > 10**"],
    ["a third write", {}, { nodeWritesPerItem: 2.1 }, "**writes a node 2.1 > 2**"],
    ["a lost Event", {}, { nodesWithEvent: 499 }, "**nodes without Event 1 > 0**"],
    ["a lost run", { who: "ledger" }, { ledgerRuns: 498 }, "**runs not in the ledger 2 > 0**"],
    ["too much memory", {}, { rssPeakMiB: 173 }, "**MiB 173 > 172.5**"],
  ] as const)("%s", (...[, cell, numbers, expected]) => {
    expect(judge(cell, { ...GOOD, ...numbers })).toBe(expected);
  });

  it("uses 0.05 of upstream's time if that is more than creating takes", () => {
    const numbers = { ...GOOD, seconds: 14.9 };
    expect(judge({}, numbers, { seconds: 300, rssPeakMiB: 75 })).toBe("met");
  });

  it("is not met if something was not measured", () => {
    const { nodesWithEvent: _, ...rest } = GOOD;
    expect(judge({}, rest)).toContain("nodes without Event");
  });

  it("leaves out upstream's limits if upstream was not measured", () => {
    const aims = aimsOf(measured({}, { ...GOOD, seconds: 1_000 }), undefined);
    expect(verdict(aims)).toBe("met");
  });
});

describe("the verdict on a second wave", () => {
  const numbers = {
    ...GOOD,
    "cold.seconds": 2.3,
    seconds: 1,
    cpuSeconds: 0.6,
    nodesWithEvent: 1_000,
  };
  const upstream = { "cold.seconds": 2, seconds: 1, cpuSeconds: 0.4, rssPeakMiB: 75 };

  it.each([
    ["everything as aimed for", {}, {}, "met"],
    ["a slow first wave", {}, { "cold.seconds": 2.4 }, "**cold.seconds 2.4 > 2.3**"],
    ["slower than upstream", {}, { seconds: 1.1 }, "**seconds 1.1 > 1**"],
    ["more than half again as much work", {}, { cpuSeconds: 0.7 }, "**cpuSeconds 0.7 > 0.6**"],
    ["a lost Event", {}, { nodesWithEvent: 999 }, "**nodes without Event 1 > 0**"],
    ["a lost run", { who: "ledger" }, { ledgerRuns: 999 }, "**runs not in the ledger 1 > 0**"],
    ["too much memory", {}, { rssPeakMiB: 173 }, "**MiB 173 > 172.5**"],
  ] as const)("%s", (...[, cell, more, expected]) => {
    const warm = { scenario: "warm", flags: "tuned", ...cell } as const;
    expect(judge(warm, { ...numbers, ...more }, upstream)).toBe(expected);
  });
});

describe("the verdict on routes", () => {
  const numbers = {
    seconds: 1.7,
    initSeconds: 3,
    rssPeakMiB: 140,
    routeListings: 2,
    routeCreations: 500,
    "steady.routeListings": 7,
  };

  it.each([
    ["everything as aimed for", {}, {}, "met"],
    ["slower than 0.06 of upstream's", {}, { seconds: 1.81 }, "**seconds 1.81 > 1.8**"],
    ["tuned as fast as upstream", { flags: "tuned" }, { seconds: 30, routeListings: 5 }, "met"],
    ["a second listing a pass", {}, { routeListings: 3 }, "**route listings 3 > 2**"],
    [
      "as many listings as a slow start has passes",
      {},
      { initSeconds: 21, routeListings: 4 },
      "met",
    ],
    [
      "a listing too many when idle",
      {},
      { "steady.routeListings": 8 },
      "**idle route listings 8 > 7**",
    ],
    ["a route made twice", {}, { routeCreations: 501 }, "**route creations 501 > 500**"],
    ["too much memory", {}, { rssPeakMiB: 173 }, "**MiB 173 > 172.5**"],
  ] as const)("%s", (...[, cell, more, expected]) => {
    const upstream = { seconds: 30, rssPeakMiB: 75 };
    expect(judge({ scenario: "routes", ...cell }, { ...numbers, ...more }, upstream)).toBe(
      expected,
    );
  });
});

describe("the verdict on the rest", () => {
  it.each([
    ["lone", { cloudCalls: 1 }, "met"],
    ["lone", { cloudCalls: 3 }, "**cloud calls 3 > 1**"],
    ["idle", { "steady.listings": 1 }, "met"],
    ["idle", { "steady.listings": 2 }, "**listings 2 > 1**"],
    ["kill", { newLeaderSeconds: 16.9 }, "met"],
    ["kill", { newLeaderSeconds: 18.2 }, "**new leader 18.2 > 17**"],
    ["term", { newLeaderSeconds: 0.4 }, "met"],
    ["term", { newLeaderSeconds: 1.2 }, "**new leader 1.2 > 1**"],
  ] as const)("%s %o", (scenario, numbers, expected) => {
    expect(verdict(aimsOf(measured({ scenario }, { ...numbers }), undefined))).toBe(expected);
  });
});

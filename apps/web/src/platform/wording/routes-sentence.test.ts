import type { RouteCounts } from "@cloudwright/store/views/routes";
import { expect, it } from "vitest";
import { routesSentence } from "./routes-sentence.ts";

const STATES = { stuck: 0, unknown: 0, waiting: 0, working: 0, held: 0, ok: 0, gone: 0 };
const NONE: RouteCounts = {
  states: STATES,
  ...{
    drifted: 0,
    wanted: 0,
    inStep: 0,
    stale: 0,
    foreign: 0,
    tables: 0,
    staleStuck: 0,
    tablesStuck: 0,
  },
  fullest: undefined,
};
const table = (used: number) => ({ id: "rtb-c", name: "rtb-c", used, most: 50 });

it.each<[Partial<typeof STATES>, Partial<RouteCounts>, string]>([
  [{ gone: 2 }, {}, "No node's routes have been observed in this cluster yet."],
  [{ ok: 3 }, {}, "No node needs a route."],
  [{ ok: 1 }, { wanted: 1, inStep: 1 }, "The one route is in sync."],
  [{ ok: 602 }, { wanted: 1_204, inStep: 1_204 }, "All 1,204 routes are in sync."],
  [
    { ok: 2, working: 1 },
    { wanted: 3, inStep: 2 },
    "No node needs you. 2 of 3 routes are in sync.",
  ],
  [
    { ok: 2, stuck: 2 },
    { wanted: 4, inStep: 2, fullest: table(50) },
    "2 nodes need you. 2 of 4 routes are in sync. Table rtb-c is full.",
  ],
  [
    { ok: 2, stuck: 1 },
    { wanted: 3, inStep: 1, stale: 1, fullest: table(49) },
    "1 node needs you. 1 of 3 routes is in sync. 1 route of ours belongs to no node.",
  ],
  [
    { ok: 2, stuck: 1 },
    { wanted: 3, inStep: 3, staleStuck: 2, tablesStuck: 1 },
    "1 node, 2 routes and 1 route table need you. All 3 routes are in sync.",
  ],
])("of %j and %j", (states, rest, sentence) => {
  const counts = { ...NONE, ...rest, states: { ...STATES, ...states } };
  expect(routesSentence(counts, { isWhole: true })).toBe(sentence);
});

it("routes of some nodes are not called all", () => {
  const counts = { ...NONE, wanted: 210, inStep: 210, states: { ...STATES, ok: 210 } };
  expect(routesSentence(counts, { isWhole: false })).toBe("210 routes are known to be in sync.");
});

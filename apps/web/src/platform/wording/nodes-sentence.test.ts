import type { State } from "@cloudwright/core/model/state";
import { expect, it } from "vitest";
import { healthWith } from "../../testing/health.ts";
import { NO_HEALTH } from "./health-messages.ts";
import { nodesSentence } from "./nodes-sentence.ts";

const NONE: Record<State, number> = {
  stuck: 0,
  unknown: 0,
  waiting: 0,
  working: 0,
  held: 0,
  ok: 0,
  gone: 0,
};

it.each([
  [{}, "No node has been seen in this cluster yet."],
  [{ gone: 4 }, "No node has been seen in this cluster yet."],
  [{ ok: 1 }, "The one node is in sync with the cloud."],
  [{ ok: 1204, gone: 9 }, "All 1,204 nodes are in sync with the cloud."],
  [{ ok: 9, stuck: 1 }, "1 node needs you."],
  [{ ok: 9, stuck: 3, waiting: 1 }, "3 nodes need you."],
  [
    { ok: 9, waiting: 1, unknown: 2 },
    "No node needs you. 9 nodes of 12 are in sync; 2 unknown, 1 waiting.",
  ],
])("counts %j read: %s", (counts, text) => {
  expect(nodesSentence({ ...NONE, ...counts }, NO_HEALTH)).toBe(text);
});

it.each([
  {
    counts: { ok: 468 },
    present: 2_000,
    uninitialised: 0,
    text: "468 of 2,000 nodes have reported. None of those that have reported needs you.",
  },
  {
    counts: {},
    present: 500,
    uninitialised: 500,
    text: "0 of 500 nodes have reported; 500 are not initialised yet.",
  },
  {
    counts: { ok: 1, stuck: 1 },
    present: 3,
    uninitialised: 1,
    text: "1 node needs you. 2 of 3 nodes have reported; 1 is not initialised yet.",
  },
])("never takes the nodes that have reported for all: $text", (given) => {
  const { counts, text, ...nodes } = given;
  const reported = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const health = healthWith({ ...nodes, reported });
  expect(nodesSentence({ ...NONE, ...counts }, health)).toBe(text);
});

it("counts the deletions that wait for an admin, as the badge does", () => {
  const health = { ...NO_HEALTH, needs: { ...NO_HEALTH.needs, stuck: { Node: 1 }, held: 8 } };
  expect(nodesSentence({ ...NONE, ok: 9, stuck: 1, held: 8 }, health)).toBe(
    "1 node needs you. 8 deletions are waiting for an admin.",
  );
});

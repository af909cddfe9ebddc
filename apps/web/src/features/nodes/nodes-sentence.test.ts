import type { State } from "@cloudwright/core/model/state";
import { expect, it } from "vitest";
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
  [{ ok: 1 }, "The one node is in step with the cloud."],
  [{ ok: 1204, gone: 9 }, "All 1,204 nodes are in step with the cloud."],
  [{ ok: 9, stuck: 1 }, "1 node needs you."],
  [{ ok: 9, stuck: 3, waiting: 1 }, "3 nodes need you."],
  [
    { ok: 9, waiting: 1, unknown: 2 },
    "No node needs you. 9 nodes of 12 are in step; 2 unknown, 1 waiting.",
  ],
])("counts %j read: %s", (counts, text) => {
  expect(nodesSentence({ ...NONE, ...counts })).toBe(text);
});

import type { ChainVerification } from "@cloudwright/store/views/chains";
import { describe, expect, it } from "vitest";
import { newerText } from "./chain-panel.tsx";
import { provenText } from "./verification-result.tsx";

const FOUND: ChainVerification = {
  chain: "c1",
  intact: false,
  entries: 9,
  head: { seq: 9, hash: "ab", at: 1 },
  since: 1,
  breakCount: 1,
  breaks: [],
  proven: [],
  checkpoints: [],
  anchoredTo: 0,
  notAnchored: 9,
  verifiedAt: 1,
  sentence: "",
};

describe("what a broken chain still proves", () => {
  it.each([
    [[], "No entry can be proven any longer."],
    [[{ from: 1, to: 4, bound: true }], "Still proven: entries 1 to 4."],
    [
      [
        { from: 1, to: 1, bound: true },
        { from: 3, to: 5, bound: true },
        { from: 7, to: 9, bound: false },
      ],
      "Still proven: entry 1 and entries 3 to 5. Intact in themselves, but not linked to the rest: entries 7 to 9.",
    ],
  ])("%j", (proven, text) => {
    expect(provenText({ ...FOUND, proven })).toBe(text);
  });
});

describe("entries that are newer than the last checkpoint", () => {
  it.each([
    [9, 9, "no entry is newer"],
    [10, 9, "1 newer entry is not yet anchored"],
    [1_209, 9, "1,200 newer entries are not yet anchored"],
    [8, 9, "no entry is newer"],
  ])("of a head at %i and a checkpoint at %i", (head, checkpoint, text) => {
    expect(newerText(head, checkpoint)).toBe(text);
  });
});

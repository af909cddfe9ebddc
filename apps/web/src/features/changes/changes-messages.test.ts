import type { Reason } from "@cloudwright/core/model/reason";
import type { ObjectChange, StateThen } from "@cloudwright/store/views/changes";
import { describe, expect, it } from "vitest";
import { aboutThen, changesSentence, presentationOfChange, stateWord } from "./changes-messages.ts";

function then(over: Partial<StateThen> = {}): StateThen {
  return {
    ...{ at: 1, state: "ok", reason: { code: "Initialised" }, drift: "inStep" },
    ...{ address: undefined, ...over },
  };
}

const GUARDED: Reason = {
  code: "DeletionGuardHeld",
  ...{ provider: "p", providerID: "p://i-1" },
  ...{ deleted: 5, limit: 5, windowMs: 600_000, held: 2 },
};

describe("the page's summary", () => {
  it.each([
    [[], "Nothing differs between the two times."],
    [[["worse", 1]], "1 object differs from before: 1 worse."],
    [
      [
        ["better", 9],
        ["other", 2],
        ["worse", 3],
      ],
      "14 objects differ from before: 3 worse, 9 better, 2 other.",
    ],
  ] as const)("of %j is: %s", (counts, sentence) => {
    const given = counts.map(([direction, count]) => ({ kind: "Node", direction, count }));
    expect(changesSentence(given)).toBe(sentence);
  });
});

describe("how an object changed", () => {
  const gone = then({ state: "gone", reason: { code: "ObjectGone" } });
  it.each<[Pick<ObjectChange, "direction" | "was" | "now" | "isReplaced">, string]>([
    [{ direction: "worse", was: "absent", now: then(), isReplaced: false }, "Worse"],
    [{ direction: "other", was: "absent", now: then(), isReplaced: false }, "New"],
    [{ direction: "other", was: then(), now: gone, isReplaced: true }, "Gone"],
    [{ direction: "other", was: then(), now: then(), isReplaced: true }, "Replaced"],
    [{ direction: "other", was: "unknown", now: then(), isReplaced: false }, "Other"],
  ])("is one word", (change, word) => {
    const object = { kind: "Node", name: "w-1", uid: "u-1", times: 1 };
    expect(presentationOfChange({ ...object, ...change }).label).toBe(word);
  });
});

describe("the state of an object", () => {
  it.each([
    ["absent", "Not there"],
    ["unknown", "Not recorded"],
    [then({ state: "stuck" }), "Stuck"],
  ] as const)("is one word", (was, word) => {
    expect(stateWord(was)).toBe(word);
  });

  it.each([
    ["nothing where it is well and the rest is equal", [then(), then()], ""],
    ["nothing of what was not there", ["absent", then()], ""],
    [
      "its cause",
      [then({ state: "stuck", reason: { code: "BalancerWithoutMembers" } }), then()],
      "No node is available for its load balancer",
    ],
    [
      "a guarded deletion, without how many were held at that moment",
      [then({ state: "held", reason: GUARDED }), then()],
      "The deletion guard holds this deletion: p says that p://i-1 does not exist, and 5 of at most 5 nodes were deleted within 10 min",
    ],
    [
      "the address that is another one",
      [then({ address: "10.0.0.1" }), then({ address: "10.0.0.2" })],
      "address 10.0.0.1",
    ],
    ["that it lost its address", [then(), then({ address: "10.0.0.2" })], "no address"],
    ["that it has drifted", [then({ drift: "drifted" }), then()], "drifted"],
    ["that it has not any more", [then(), then({ drift: "drifted" })], "in sync"],
    ["the address of what is new", [then({ address: "10.0.0.1" }), "absent"], "address 10.0.0.1"],
  ] as const)("is described with %s", (_what, [was, other], text) => {
    expect(aboutThen(was, other)).toBe(text);
  });
});

import { AUDIT_ACTIONS } from "@cloudwright/core/model/audit/audit";
import { describe, expect, it } from "vitest";
import { entryTitleText, VERB_LABELS } from "./audit-verbs.ts";

const NODE = { kind: "Node", namespace: undefined, name: "node-21", uid: undefined };
const hold = { kind: "hold", isPreview: false } as const;

describe("the title of an entry", () => {
  it.each([
    ["Hold node, requested", { action: "intent.request", intent: hold }],
    ["Hold node, claimed", { action: "intent.claim", intent: hold }],
    ["Hold node, verified", { action: "intent.end", intent: hold, after: { state: "verified" } }],
    ["Hold node", { action: "node.hold", intent: hold }],
    [
      "Preview: Hold node, requested",
      { action: "intent.request", intent: { ...hold, isPreview: true } },
    ],
    [
      "Retry node, requested",
      { action: "intent.request", intent: { ...hold, kind: "retry" as const } },
    ],
    [
      "Override taint, requested",
      { action: "intent.request", intent: { ...hold, kind: "override" as const } },
    ],
    ["Action, requested", { action: "intent.request", intent: undefined }],
    ["moon.land", { action: "moon.land", intent: undefined }],
  ])("is %s", (text, entry) => {
    expect(entryTitleText({ object: NODE, after: null, ...entry })).toBe(text);
  });
});

it("a filter offers verbs, never the steps of an action", () => {
  const offered = Object.keys(VERB_LABELS);
  expect(offered).toContain("node.hold");
  expect(offered).toContain("node.retry");
  expect(offered.filter((verb) => verb.startsWith("intent."))).toEqual([]);
  expect(offered).toEqual(
    expect.arrayContaining(AUDIT_ACTIONS.filter((action) => !action.startsWith("intent."))),
  );
});

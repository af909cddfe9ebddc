import { describe, expect, it } from "vitest";
import { actionsOfVerb, verbOfEntry } from "./audit-verb.ts";

describe("the verb of an audit entry", () => {
  const hold = { kind: "hold", isPreview: false } as const;
  it.each([
    ["node.hold", { action: "node.hold", object: { kind: "Node" } }],
    ["node.hold", { action: "intent.request", object: { kind: "Node" }, intent: hold }],
    ["service.hold", { action: "intent.end", object: { kind: "Service" }, intent: hold }],
    [
      "guard.release",
      {
        action: "intent.claim",
        object: { kind: "Controller" },
        intent: { kind: "release-guard", isPreview: false } as const,
      },
    ],
    ["intent.claim", { action: "intent.claim", object: { kind: "Node" } }],
    ["moon.hold", { action: "intent.end", object: { kind: "Moon" }, intent: hold }],
    ["node.delete", { action: "node.delete", object: { kind: "Node" }, intent: hold }],
  ])("is %s for %j", (verb, entry) => {
    expect(verbOfEntry(entry)).toBe(verb);
  });
});

describe("the actions that a verb matches", () => {
  it("are those of its family", () => {
    expect(actionsOfVerb("node.hold")).toEqual([{ action: "hold", kind: "Node" }]);
    expect(actionsOfVerb("node.override").every(({ action }) => action === "override")).toBe(true);
  });

  it("may be several", () => {
    const holds = actionsOfVerb("*.hold");
    expect(holds).toContainEqual({ action: "hold", kind: "PersistentVolume" });
    expect(new Set(holds.map(({ action }) => action))).toEqual(new Set(["hold"]));
  });

  it("are none for verbs without an action, and only the star is a wildcard", () => {
    expect(actionsOfVerb("node.delete")).toEqual([]);
    expect(actionsOfVerb("node.(hold|x)")).toEqual([]);
    expect(actionsOfVerb("node?hold")).toEqual([]);
  });
});

import type { Json } from "@cloudwright/core/model/values/json";
import { describe, expect, it } from "vitest";
import { list, mapOf, struct, text } from "../schema/schema.ts";
import { strategicMergePatch } from "./strategic-merge-patch.ts";

const schema = struct("Thing", {
  labels: mapOf(text),
  tags: list(text, "set"),
  plain: list(text),
  items: list(struct("Item", { type: text, value: text }), { key: "type" }),
  union: struct("Union", { a: text, b: text }),
});
const item = (type: string, value: string) => ({ type, value });

interface Case {
  readonly does: string;
  readonly target: Json;
  readonly patch: Json;
  readonly result: Json;
}

const CASES: readonly Case[] = [
  {
    does: "merges maps and removes what is null",
    target: { labels: { a: "1", b: "2" } },
    patch: { labels: { a: null, c: "3" } },
    result: { labels: { b: "2", c: "3" } },
  },
  {
    does: "replaces a list without a rule",
    target: { plain: ["a", "b"] },
    patch: { plain: ["c"] },
    result: { plain: ["c"] },
  },
  {
    does: "puts new members of a set first",
    target: { tags: ["a"] },
    patch: { tags: ["b", "a"] },
    result: { tags: ["b", "a"] },
  },
  {
    does: "takes members out of a set",
    target: { tags: ["a", "b"] },
    patch: { "$deleteFromPrimitiveList/tags": ["a"] },
    result: { tags: ["b"] },
  },
  {
    does: "merges an item into the one with its key and keeps the others",
    target: { items: [item("A", "1"), item("B", "2")] },
    patch: { items: [{ type: "B", value: "3" }] },
    result: { items: [item("A", "1"), item("B", "3")] },
  },
  {
    does: "removes an item by its key",
    target: { items: [item("A", "1"), item("B", "2")] },
    patch: { items: [{ type: "A", $patch: "delete" }] },
    result: { items: [item("B", "2")] },
  },
  {
    does: "replaces a keyed list when asked to",
    target: { items: [item("A", "1"), item("B", "2")] },
    patch: { items: [{ $patch: "replace" }, item("C", "3")] },
    result: { items: [item("C", "3")] },
  },
  {
    does: "orders items as directed",
    target: { items: [item("A", "1"), item("B", "2")] },
    patch: { "$setElementOrder/items": [{ type: "B" }, { type: "A" }] },
    result: { items: [item("B", "2"), item("A", "1")] },
  },
  {
    does: "takes a list that was not there as it comes",
    target: {},
    patch: { items: [item("A", "1"), item("A", "2"), { type: "B", $patch: "delete" }] },
    result: { items: [item("A", "1"), item("A", "2")] },
  },
  {
    does: "keeps only the named members of a union",
    target: { union: { a: "1", b: "2" } },
    patch: { union: { $retainKeys: ["b"], b: "3" } },
    result: { union: { b: "3" } },
  },
  {
    does: "replaces an object when asked to",
    target: { union: { a: "1", b: "2" } },
    patch: { union: { $patch: "replace", b: "3" } },
    result: { union: { b: "3" } },
  },
  {
    does: "empties an object when asked to",
    target: { union: { a: "1" } },
    patch: { union: { $patch: "delete" } },
    result: { union: {} },
  },
];

describe("a strategic merge patch", () => {
  it.each(CASES)("$does", ({ target, patch, result }) => {
    const before = JSON.stringify(target);
    expect(strategicMergePatch(schema, target, patch)).toEqual(result);
    expect(JSON.stringify(target)).toBe(before);
  });

  it("refuses an item without its key", () => {
    expect(() =>
      strategicMergePatch(schema, { items: [item("A", "1")] }, { items: [{ value: "2" }] }),
    ).toThrow("does not contain declared merge key: type");
  });

  it("refuses an unknown directive", () => {
    expect(() => strategicMergePatch(schema, {}, { union: { $patch: "twist" } })).toThrow(
      "Unknown patch type",
    );
  });

  it.each([
    [[item("A", "1")], [{ type: "B" }]],
    [
      [item("B", "1"), item("A", "1")],
      [{ type: "A" }, { type: "B" }],
    ],
    [
      [item("A", "1"), item("A", "2")],
      [{ type: "A" }, { type: "B" }],
    ],
  ])("refuses items %j in the order %j", (items, order) => {
    const patch = { items, "$setElementOrder/items": order };
    expect(() => strategicMergePatch(schema, { items: [item("C", "1")] }, patch)).toThrow(
      "The order in patch list:",
    );
  });

  it("prints items in the wrong order as upstream does", () => {
    const patch = { tags: ["b", "a"], "$setElementOrder/tags": ["a", "b"] };
    expect(() => strategicMergePatch(schema, { tags: [] }, patch)).toThrow(
      "The order in patch list:\n[b a]\n doesn't match $setElementOrder list:\n[a b]\n",
    );
  });

  it("requires no order for removed items", () => {
    const patch = {
      items: [{ type: "A", $patch: "delete" }, item("C", "3")],
      "$setElementOrder/items": [{ type: "C" }, { type: "B" }],
    };
    const target = { items: [item("A", "1"), item("B", "2")] };
    expect(strategicMergePatch(schema, target, patch)).toEqual({
      items: [item("C", "3"), item("B", "2")],
    });
  });
});

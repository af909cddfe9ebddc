import type { Json } from "@cloudwright/core/model/values/json";
import { describe, expect, it } from "vitest";
import { jsonPatch } from "./json-patch.ts";

const DOCUMENT = { a: { "x/y": 1, list: [1, 2, 3] }, b: null };

interface Case {
  readonly does: string;
  readonly patch: Json;
  readonly result: Json;
}

const CASES: readonly Case[] = [
  {
    does: "adds a member",
    patch: [{ op: "add", path: "/c", value: 1 }],
    result: { ...DOCUMENT, c: 1 },
  },
  {
    does: "inserts into a list and appends to it",
    patch: [
      { op: "add", path: "/a/list/1", value: 9 },
      { op: "add", path: "/a/list/-", value: 4 },
    ],
    result: { ...DOCUMENT, a: { "x/y": 1, list: [1, 9, 2, 3, 4] } },
  },
  {
    does: "unescapes names",
    patch: [{ op: "replace", path: "/a/x~1y", value: 2 }],
    result: { ...DOCUMENT, a: { "x/y": 2, list: [1, 2, 3] } },
  },
  {
    does: "removes an item of a list",
    patch: [{ op: "remove", path: "/a/list/0" }],
    result: { ...DOCUMENT, a: { "x/y": 1, list: [2, 3] } },
  },
  {
    does: "moves",
    patch: [{ op: "move", from: "/a/list", path: "/b" }],
    result: { a: { "x/y": 1 }, b: [1, 2, 3] },
  },
  {
    does: "copies",
    patch: [{ op: "copy", from: "/a/list/2", path: "/b" }],
    result: { ...DOCUMENT, b: 3 },
  },
  {
    does: "tests whole values, whatever the order of their members",
    patch: [{ op: "test", path: "/a", value: { list: [1, 2, 3], "x/y": 1 } }],
    result: DOCUMENT,
  },
];

describe("a JSON patch", () => {
  it.each(CASES)("$does", ({ patch, result }) => {
    const before = JSON.stringify(DOCUMENT);
    expect(jsonPatch(DOCUMENT, patch)).toEqual(result);
    expect(JSON.stringify(DOCUMENT)).toBe(before);
  });

  it.each([
    ["a test that fails", [{ op: "test", path: "/a/list/0", value: 2 }]],
    ["what is not there to remove", [{ op: "remove", path: "/zap" }]],
    ["what is not there to replace", [{ op: "replace", path: "/zap", value: 1 }]],
    ["an index past the end", [{ op: "add", path: "/a/list/4", value: 1 }]],
    ["an index with a leading zero", [{ op: "add", path: "/a/list/01", value: 1 }]],
    ["a way through a number", [{ op: "add", path: "/a/x~1y/z", value: 1 }]],
    ["a path without its slash", [{ op: "add", path: "a", value: 1 }]],
    ["a source that is not there", [{ op: "copy", from: "/zap", path: "/b" }]],
    ["an operation that is none", [{ op: "twist", path: "/a" }]],
    ["an operation without a path", [{ op: "add", value: 1 }]],
  ])("refuses %s", (_what, patch) => {
    expect(() => jsonPatch(DOCUMENT, patch)).toThrow("the server rejected our request");
  });

  it("refuses a patch that is not a list", () => {
    expect(() => jsonPatch(DOCUMENT, { op: "add" })).toThrow("error decoding patch");
  });
});

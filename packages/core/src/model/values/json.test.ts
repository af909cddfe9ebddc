import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson, type Json, sameJson } from "./json.ts";

it("has one text whatever the order of keys, and leaves undefined members out", () => {
  expect(canonicalJson({ b: 1, a: [true, null, undefined as unknown as Json], c: undefined })).toBe(
    '{"a":[true,null,null],"b":1}',
  );
});

it("is JSON that means the same", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = value as Json;
      expect(JSON.parse(canonicalJson(json))).toEqual(JSON.parse(JSON.stringify(json)));
    }),
  );
});

it("tells equal values from different ones", () => {
  expect(sameJson({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
  expect(sameJson([1, 2], [2, 1])).toBe(false);
  expect(sameJson(undefined, null)).toBe(true);
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson, type Json, jsonSchema, sameJson } from "./json.ts";

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

it("distinguishes equal values from different ones", () => {
  expect(sameJson({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
  expect(sameJson([1, 2], [2, 1])).toBe(false);
  expect(sameJson(undefined, null)).toBe(true);
});

it("considers equal what has the same text", () => {
  const values = [fc.constantFrom(null, undefined, 0, 1, "a", true)];
  const small = fc.object({ key: fc.constantFrom("a", "b"), values, maxDepth: 2, maxKeys: 2 });
  const either = fc.oneof(small, fc.array(small, { maxLength: 2 }), ...values);
  fc.assert(
    fc.property(either, either, (one, other) => {
      const [left, right] = [one as Json, other as Json];
      expect(sameJson(left, right)).toBe(canonicalJson(left) === canonicalJson(right));
    }),
    { numRuns: 2_000 },
  );
});

it("accepts any JSON, however deep", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(jsonSchema.parse(value)).toEqual(value);
    }),
  );
  const depth = 100_000;
  expect(jsonSchema.safeParse(JSON.parse("[".repeat(depth) + "]".repeat(depth))).success).toBe(
    true,
  );
});

it.each([
  ["nothing", undefined],
  ["a member that is not there", { a: undefined }],
  ["no number", [Number.NaN]],
  ["an endless number", { a: { b: Number.POSITIVE_INFINITY } }],
  ["a date", { at: new Date(0) }],
  ["a map", [new Map()]],
  ["a function", { a: () => 1 }],
  ["a large integer", 1n],
])("accepts no value that JSON would change: %s", (_what, value) => {
  expect(jsonSchema.safeParse(value).error?.issues[0]?.message).toBe("it is not a JSON value");
});

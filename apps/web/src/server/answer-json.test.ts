import fc from "fast-check";
import superjson from "superjson";
import { describe, expect, it } from "vitest";
import { serializeAnswer } from "./answer-json.ts";

type Sent = Parameters<typeof superjson.deserialize>[0];

/** Returns a value as the client has it after transfer. */
const received = (value: unknown) =>
  superjson.deserialize(JSON.parse(JSON.stringify(serializeAnswer(value))) as Sent);

const SHARED = { shared: [1] };

describe("an answer", () => {
  it.each<[string, unknown]>([
    ["plain JSON", { rows: [{ name: "w-1", at: 1.5, ok: true, none: null, list: [] }] }],
    ["one text", "w-1"],
    ["nothing", null],
    ["undefined itself", undefined],
    ["members that are undefined", { rows: [{ a: undefined, b: 1 }, { a: 2 }], next: undefined }],
    ["items that are undefined", { list: [undefined, 1, undefined], deep: [[undefined]] }],
    ["names with dots and backslashes", { "a.b": undefined, "a\\.b": { "c\\d.": undefined } }],
    ["a part that is there twice", { left: SHARED, right: SHARED }],
    ["a date", { at: new Date(0), none: undefined }],
    ["a map", { of: new Map([["a", undefined]]) }],
    ["numbers that JSON does not have", [Number.NaN, Number.POSITIVE_INFINITY, -0, 3n]],
    ["without a prototype", Object.assign(Object.create(null), { a: undefined })],
  ])("with %s arrives unchanged", (_, value) => {
    expect(received(value)).toStrictEqual(superjson.parse(superjson.stringify(value)));
    expect(received(value)).toEqual(value);
  });

  it("arrives just as if superjson alone had sent it, whatever it holds", () => {
    const values = [fc.constantFrom(undefined, null, 0, -0, Number.NaN, "a", new Date(1), 2n)];
    const key = fc.constantFrom("a", "a.b", "a\\.b", "\\", "0", "", "length");
    const answers = fc.object({ key, values, maxDepth: 3, maxKeys: 4 });
    fc.assert(
      fc.property(fc.oneof(answers, fc.array(answers, { maxLength: 3 })), (value) => {
        expect(received(value)).toStrictEqual(superjson.parse(superjson.stringify(value)));
      }),
      { numRuns: 1_000 },
    );
  });

  it("made of plain JSON is sent without type notes", () => {
    expect(serializeAnswer({ rows: [1] })).toEqual({ json: { rows: [1] } });
  });

  it("must not have members that would change what an object is", () => {
    expect(() => serializeAnswer(JSON.parse('{"__proto__":{"a":1}}'))).toThrow();
  });
});

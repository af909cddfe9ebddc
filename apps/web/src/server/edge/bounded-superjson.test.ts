import superjson from "superjson";
import { describe, expect, it } from "vitest";
import { boundedSuperjson } from "../trpc.ts";
import { LIMITS } from "./limits.ts";

const { deserialize } = boundedSuperjson.input;

describe("the type notes of an input", () => {
  it.each([
    ["nothing", { cluster: "c" }],
    ["a member that is undefined", { cluster: "c", cursor: undefined }],
    ["members within members", { filter: { a: undefined, b: { c: [1, undefined] } } }],
    ["the whole that is undefined", undefined],
  ])("may be %s", (_what, value) => {
    const sent: unknown = JSON.parse(JSON.stringify(superjson.serialize(value)));
    expect(deserialize(sent)).toEqual(value);
  });

  it.each<[string, unknown]>([
    ["a date", superjson.serialize({ from: new Date() })],
    ["a set", superjson.serialize(new Set([1]))],
    ["a pattern", superjson.serialize({ a: /x/ })],
    ["a class", { json: {}, meta: { values: [["class", "Nothing"]] } }],
    ["the same object twice", { json: {}, meta: { referentialEqualities: { a: ["b"] } } }],
    ["the prototype", { json: {}, meta: { values: { "__proto__.x": ["undefined"] } } }],
    ["more than it may", { json: [], meta: { values: entries(LIMITS.metaEntries + 1) } }],
    ["no object", { json: {}, meta: 1 }],
    ["an unknown member", { json: {}, meta: { more: 1 } }],
  ])("is refused when it names %s", (_what, sent) => {
    const plain: unknown = JSON.parse(JSON.stringify(sent));
    expect(() => deserialize(plain)).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
  });

  it.each([[null], [1], ["x"], [[]]])("are refused without an object around them: %j", (sent) => {
    expect(() => deserialize(sent)).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
  });

  function entries(count: number) {
    return Object.fromEntries(Array.from({ length: count }, (_, at) => [at, ["undefined"]]));
  }
});

import { describe, expect, test } from "vitest";
import { storableJson } from "./storable-json.ts";

describe("storable JSON", () => {
  test.each([
    ['plain é \n " \\ 😀', 'plain é \n " \\ 😀'],
    ["a\u0000b\u0000", "ab"],
    ["half \ud83d of a pair", "half \ufffd of a pair"],
    ["the letters \\u0000 as such", "the letters \\u0000 as such"],
    ["a backslash \\\u0000 and a NUL", "a backslash \\ and a NUL"],
    ["\\\\u0000", "\\\\u0000"],
    ["\\ud800", "\\ud800"],
  ])("of %j reads back as %j", (given, read) => {
    expect(JSON.parse(storableJson({ given }))).toEqual({ given: read });
  });
});

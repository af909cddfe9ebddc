import { expect, it } from "vitest";
import { csvLine } from "./csv.ts";

it.each([
  ["plain", "plain"],
  ['a,"b"', '"a,""b"""'],
  ["two\nlines", '"two\nlines"'],
  ["=1+1", "'=1+1"],
  ["web\u202egnp.exe", "web\\u202egnp.exe"],
  ["\u200b=1+1", "\\u200b=1+1"],
  ["one\u2028two", "one\\u2028two"],
])("%j", (value, field) => {
  expect(csvLine([value, 1, undefined])).toBe(`${field},1,`);
});

import { expect, it } from "vitest";
import { readSubnetPattern } from "./subnet-pattern.ts";

it.each([
  ["public-1", "public-*", true],
  ["public-1", "!public-*", false],
  ["public-1", "~^pub.*\\d$", true],
  ["public-1", "~blic", true],
  ["public-1", "!~^pub", false],
  ["PUBLIC", "~(?i)^public$", true],
  ["public.1", "public?1", true],
  ["publicx1", "public.1", false],
  ["a(b", "a(b", true],
  ["private", "public", false],
])("the subnet %s by the pattern %s: %s", (name, pattern, matches) => {
  expect(readSubnetPattern(pattern)?.(name)).toBe(matches);
});

it.each(["~^(", "!~[", "~(?<=a)b"])(
  "%s is no expression, and means no subnet at all",
  (pattern) => {
    expect(readSubnetPattern(pattern)).toBeUndefined();
  },
);

it("takes no longer for an expression that makes backtracking engines search forever", () => {
  expect(readSubnetPattern("~^(a+)+$")?.(`${"a".repeat(200)}b`)).toBe(false);
});

import { describe, expect, it } from "vitest";
import { isWithinBounds } from "./json-bounds.ts";

const isDeeperThan = (text: string, depth: number) =>
  !isWithinBounds(text, { depth, members: 1_000 });

describe("the depth of a JSON text", () => {
  it.each([
    ["", 0, false],
    ["[]", 0, true],
    ["[[]]", 2, false],
    ["[[[]]]", 2, true],
    ['[{"a":[]}]', 3, false],
    ["[],[],[],[]", 1, false],
    ['["[[[[", "\\"[[[["]', 1, false],
    ['"never ends [[[[', 1, false],
    ['"a\\\\"[[', 1, true],
    ["]]]][[[[[", 1, false],
  ])("%j is deeper than %d: %s", (text, most, deeper) => {
    expect(isDeeperThan(text, most)).toBe(deeper);
  });

  it("agrees with a parser on whatever a parser can read", () => {
    for (let depth = 1; depth < 50; depth += 1) {
      const text = `${'{"a":['.repeat(depth)}${"]}".repeat(depth)}`;
      expect([isDeeperThan(text, 2 * depth), isDeeperThan(text, 2 * depth - 1)]).toEqual([
        false,
        true,
      ]);
    }
  });
});

describe("the number of members in a JSON text", () => {
  it.each([
    ["{}", 0, true],
    ['{"a":1}', 0, false],
    ['{"a":{"b":1},"c":[{"d":":"}]}', 4, true],
    ['{"a":{"b":1},"c":[{"d":":"}]}', 3, false],
    ['["a:b:c:d"]', 0, true],
  ])("%j keeps within %d: %s", (text, members, kept) => {
    expect(isWithinBounds(text, { depth: 32, members })).toBe(kept);
  });
});

import { expect, it } from "vitest";
import { grouped } from "./grouped.ts";

it("keeps the order in which keys first occur, and of the items of each key", () => {
  const groups = grouped(["b1", "a1", "b2", "c1"], (word) => word[0]);
  expect([...groups]).toEqual([
    ["b", ["b1", "b2"]],
    ["a", ["a1"]],
    ["c", ["c1"]],
  ]);
  expect(grouped([], () => 1).size).toBe(0);
});

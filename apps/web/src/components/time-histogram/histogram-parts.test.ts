import { expect, it } from "vitest";
import { partAt, partsOf, stretchBetween } from "./histogram-parts.ts";

const PARTS = partsOf({ from: 1_000, to: 2_000, counts: [3, 0, 7] });

it("parts divide the time without a gap", () => {
  expect(PARTS).toEqual([
    { from: 1_000, to: 1_333, count: 3 },
    { from: 1_333, to: 1_667, count: 0 },
    { from: 1_667, to: 2_000, count: 7 },
  ]);
  expect(partsOf({ from: 5, to: 5, counts: [0, 0] })).toEqual([]);
});

it.each([
  [1, 1, { from: 1_333, to: 1_667 }],
  [2, 0, { from: 1_000, to: 2_000 }],
  [0, 1, { from: 1_000, to: 1_667 }],
  [0, 9, undefined],
])("from part %i to part %i is %j", (one, other, stretch) => {
  expect(stretchBetween(PARTS, one, other)).toEqual(stretch);
});

it.each([
  [-0.2, 0],
  [0, 0],
  [0.34, 1],
  [0.99, 2],
  [1.5, 2],
])("position %f of a drawing belongs to part %i of three", (place, part) => {
  expect(partAt(place, 3)).toBe(part);
});

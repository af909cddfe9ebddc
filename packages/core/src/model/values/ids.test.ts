import { expect, it } from "vitest";
import { uuidV7, uuidV7Time } from "./ids.ts";

const NOW = 1_795_246_118_227;

it.each([
  ["the least", 0, "01a1fd01-d553-7000-8000-000000000000"],
  ["the most", 1 - Number.EPSILON, "01a1fd01-d553-7fff-bfff-ffffffffffff"],
])("is of version 7 with %s randomness", (_name, random, expected) => {
  expect(uuidV7(NOW, () => random)).toBe(expected);
});

it("contains its creation time", () => {
  expect(uuidV7Time(uuidV7(NOW, Math.random))).toBe(NOW);
});

it("pads a short time, so that ids sort by it", () => {
  expect(uuidV7(1, () => 0) < uuidV7(256, () => 0)).toBe(true);
});

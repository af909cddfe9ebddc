import { expect, it } from "vitest";
import { formatDuration } from "./duration.ts";

it.each([
  [0, "0 ms"],
  [840, "840 ms"],
  [4_200, "4.2 s"],
  [5_000, "5 s"],
  [31_400, "31 s"],
  [840_000, "14 min"],
  [12_000_000, "3 h 20 min"],
  [7_200_000, "2 h"],
  [432_000_000, "5 d"],
  [999.6, "1 s"],
  [9_960, "10 s"],
  [59_499, "59 s"],
  [59_700, "1 min"],
  [3_569_000, "59 min"],
  [3_590_000, "1 h"],
  [7_190_000, "2 h"],
  [172_790_000, "2 d"],
])("%d ms reads %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

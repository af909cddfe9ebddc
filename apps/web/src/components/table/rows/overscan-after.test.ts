import { expect, it } from "vitest";
import { overscanAfter } from "./use-drawn-rows.ts";

const BEFORE = { startIndex: 100, endIndex: 125 };

it.each([
  { when: "at first", before: undefined, startIndex: 0, wanted: 8 },
  { when: "after a turn of the wheel down", before: BEFORE, startIndex: 103, wanted: 8 },
  { when: "after a turn of the wheel up", before: BEFORE, startIndex: 97, wanted: 8 },
  { when: "while one row stays in sight", before: BEFORE, startIndex: 125, wanted: 8 },
  { when: "after a jump down", before: BEFORE, startIndex: 126, wanted: 0 },
  { when: "after a jump up", before: BEFORE, startIndex: 74, wanted: 0 },
])("rows beyond the edge $when", ({ before, startIndex, wanted }) => {
  const now = { startIndex, endIndex: startIndex + 25, overscan: 8 };
  expect(overscanAfter(before, now)).toBe(wanted);
});

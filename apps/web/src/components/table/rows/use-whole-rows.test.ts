import { expect, it } from "vitest";
import { wholeRows } from "./use-whole-rows.ts";

const SIGHT = { startIndex: 100, endIndex: 119 };

it("draws all first rows whole, even if they arrive after the list was measured", () => {
  expect(wholeRows(new Set(), [], null)).toEqual(new Set());
  expect(wholeRows(new Set(), rows(92, 127), SIGHT)).toEqual(new Set(rows(92, 127)));
});

it.each([
  { when: "a turn of the wheel", before: rows(89, 124), wanted: rows(92, 127) },
  { when: "a jump", before: rows(0, 20), wanted: rows(100, 102) },
  { when: "the frame after a jump", before: rows(100, 102), wanted: rows(100, 105) },
  {
    when: "all in sight have been drawn",
    before: rows(100, 119),
    wanted: [...rows(92, 94), ...rows(100, 119)],
  },
])("draws some more rows whole after $when", ({ before, wanted }) => {
  expect(wholeRows(new Set(before), rows(92, 127), SIGHT)).toEqual(new Set(wanted));
});

function rows(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

import { expect, it } from "vitest";
import { type SeenValue, seenNext } from "./just-changed.tsx";

const SEEN: SeenValue = { of: "w-1", value: "ok", changes: 0, isMarked: false };

const OK = { of: "w-1", value: "ok" };
const STUCK = { ...OK, value: "stuck" };

it.each([
  { case: "another value", before: {}, now: STUCK, after: { changes: 1, isMarked: true } },
  { case: "the first value of all", before: { value: undefined }, now: OK, after: {} },
  { case: "a value that is gone", before: {}, now: { ...OK, value: undefined }, after: {} },
  {
    case: "another thing's value",
    before: { changes: 3, isMarked: true },
    now: { ...STUCK, of: "w-2" },
    after: { changes: 3 },
  },
])("what counts as seen after $case", ({ before, now, after }) => {
  const seen = { ...SEEN, ...before };
  expect(seenNext(seen, now)).toEqual({ ...seen, isMarked: false, ...now, ...after });
});

it("a value that stays the same keeps its mark and its object identity", () => {
  const seen = { ...SEEN, isMarked: true };
  expect(seenNext(seen, { of: "w-1", value: "ok" })).toBe(seen);
});

import { expect, it } from "vitest";
import { lossText } from "./gap-notes.tsx";

it.each([
  [{ records: 1, calls: 0 }, "1 record was lost"],
  [{ records: 0, calls: 12 }, "12 calls of runs were lost"],
  [{ records: 1_200, calls: 1 }, "1,200 records and 1 call of runs were lost"],
])("%j reads: %s", (gap, text) => {
  expect(lossText(gap)).toBe(text);
});

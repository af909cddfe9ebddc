import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS, roundParts } from "./part-width.ts";

const NOON = Date.UTC(2026, 10, 28, 12);
const DAY_MS = 24 * HOUR_MS;

describe("the parts of a time span", () => {
  test.each([
    ["an hour", HOUR_MS, MINUTE_MS],
    ["a day", DAY_MS, 30 * MINUTE_MS],
    ["a week", 7 * DAY_MS, 3 * HOUR_MS],
    ["30 days", 30 * DAY_MS, 12 * HOUR_MS],
    ["a year", 365 * DAY_MS, 7 * DAY_MS],
    ["a minute", MINUTE_MS, 1_000],
    ["one millisecond", 1, 1],
  ])("of %s have a round length", (_name, length, width) => {
    expect(roundParts(NOON - length, NOON, 60).width).toBe(width);
  });

  test("begin at round times, so that the first may begin before the span", () => {
    expect(roundParts(NOON - DAY_MS + 1_234, NOON + 1_234, 60)).toEqual({
      ...{ from: NOON - DAY_MS, width: 30 * MINUTE_MS, count: 49 },
    });
  });

  test.each([1, 7, 60, 200])("of any time are at most one more than %i", (wanted) => {
    for (let length = 1; length < 400 * DAY_MS; length = Math.ceil(length * 1.7)) {
      const { from, width, count } = roundParts(NOON + 17 - length, NOON + 17, wanted);
      expect(count).toBeLessThanOrEqual(wanted + 1);
      expect(from + count * width).toBeGreaterThanOrEqual(NOON + 17);
      expect(from + (count - 1) * width).toBeLessThan(NOON + 17);
    }
  });

  test("of an empty span are one", () => {
    expect(roundParts(NOON, NOON, 60)).toEqual({ from: NOON, width: 1, count: 1 });
  });
});

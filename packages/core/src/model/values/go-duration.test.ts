import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatGoDuration, parseGoDuration } from "./go-duration.ts";

describe("durations as Go writes them", () => {
  it.each([
    ["0", 0],
    ["0s", 0],
    ["10s", 10_000],
    ["5m0s", 300_000],
    ["1h2m3.5s", 3_723_500],
    ["300ms", 300],
    ["1.5h", 5_400_000],
    [".5s", 500],
    ["1.s", 1_000],
    ["-1m", -60_000],
    ["+2s", 2_000],
    ["1us", 0.001],
    ["1µs", 0.001],
    ["1ns", 0.000_001],
    ["12h0m0s", 43_200_000],
  ])("reads %s as %d ms", (text, ms) => {
    expect(parseGoDuration(text)).toBe(ms);
  });

  it.each(["", "-", "10", "s", "10 s", "1d", "1h 2m", "abc", "1..5s", "s10", "1hx"])(
    "refuses %j",
    (text) => {
      expect(parseGoDuration(text)).toBeUndefined();
    },
  );

  it.each([
    [0, "0s"],
    [10_000, "10s"],
    [300_000, "5m0s"],
    [43_200_000, "12h0m0s"],
    [3_723_500, "1h2m3.5s"],
    [300, "300ms"],
    [0.5, "500µs"],
    [-90_000, "-1m30s"],
  ])("prints %d ms as %s", (ms, text) => {
    expect(formatGoDuration(ms)).toBe(text);
  });

  it("reads back what it prints", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), (ms) => {
        expect(parseGoDuration(formatGoDuration(ms))).toBeCloseTo(ms, 6);
      }),
    );
  });
});

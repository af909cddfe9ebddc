import { speak } from "@cloudwright/core/model/language/text";
import { afterEach, describe, expect, it } from "vitest";
import { formatClock, formatElapsed, formatInstant, formatRelative, isNow } from "./format-time.ts";

const NOON = Date.UTC(2026, 10, 24, 12, 0, 0);

describe("relative times", () => {
  it.each([
    [NOON, "just now"],
    [NOON - 1_000, "just now"],
    [NOON - 4_000, "4 s ago"],
    [NOON - 14 * 60_000, "14 min ago"],
    [NOON - 200 * 60_000, "3 h 20 min ago"],
    [NOON + 120_000, "in 2 min"],
  ])("%d reads %s", (at, text) => {
    expect(formatRelative(at, NOON)).toBe(text);
  });
});

it.each([
  [NOON + 1_499, true],
  [NOON - 1_499, true],
  [NOON + 1_500, false],
])("%d reads as now: %s", (at, is) => {
  expect(isNow(at, NOON)).toBe(is);
  expect(formatRelative(at, NOON) === "just now").toBe(is);
});

describe("absolute times", () => {
  it("show only the clock for today", () => {
    expect(formatClock(NOON - 60_000, "UTC", NOON)).toBe("11:59:00");
  });

  it("include the day when it is not today", () => {
    expect(formatClock(NOON - 86_400_000, "UTC", NOON)).toBe("23 Nov 12:00:00");
  });

  it("include the year when it is not this one", () => {
    expect(formatClock(Date.UTC(2025, 10, 24, 12), "UTC", NOON)).toBe("24 Nov 2025 12:00:00");
  });

  it("carry milliseconds and the zone in full", () => {
    expect(formatInstant(NOON + 120, "UTC")).toBe("2026-11-24 12:00:00.120 UTC");
  });
});

it("elapsed time has no tenths, which would flicker", () => {
  expect(formatElapsed(4_240)).toBe("4 s");
  expect(formatElapsed(-5)).toBe("0 s");
});

describe("days and clock times in another language", () => {
  afterEach(() => speak({ language: "en", catalogOf: () => undefined }));

  it.each([
    ["fr", "23 nov. 14:05:09"],
    ["zh", "11月23日 14:05:09"],
    ["ja", "11月23日 14:05:09"],
    ["en", "23 Nov 14:05:09"],
  ] as const)("%s: %s, whatever was spoken before", (language, text) => {
    speak({ language, catalogOf: () => ({}) });
    expect(formatClock(Date.UTC(2026, 10, 23, 14, 5, 9), "UTC", NOON)).toBe(text);
  });

  it("leave the full instant unchanged, because it is pasted into commands", () => {
    speak({ language: "ja", catalogOf: () => ({}) });
    expect(formatInstant(NOON + 120, "UTC")).toBe("2026-11-24 12:00:00.120 UTC");
  });
});

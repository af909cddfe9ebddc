import { describe, expect, it } from "vitest";
import { clockIn } from "../time/zone.ts";
import { momentOf } from "./moment-of.ts";

const NOON = Date.UTC(2026, 10, 24, 12, 0, 0, 120);
const MINUTE = 60_000;

describe("the moment of a clock time", () => {
  it.each(["UTC", "Asia/Kolkata", "America/New_York", "Pacific/Kiritimati", "Australia/Lord_Howe"])(
    "is found again in %s, in summer and in winter",
    (zone) => {
      for (const at of [NOON, Date.UTC(2026, 6, 1, 3, 4, 5), Date.UTC(2026, 2, 29, 0, 59, 59)]) {
        expect(momentOf(clockIn(at, zone), zone, "first")).toBe(at);
        expect(momentOf(clockIn(at, zone), zone, "last")).toBe(at);
      }
    },
  );

  it.each([
    // Clocks jump from 02:00 to 03:00, or by half an hour.
    ["Europe/Berlin", Date.UTC(2026, 2, 29, 1), 60],
    ["America/New_York", Date.UTC(2026, 2, 8, 7), 60],
    ["Australia/Lord_Howe", Date.UTC(2026, 9, 3, 15, 30), 30],
  ])("is right on both sides of a skipped time in %s", (zone, change, by) => {
    const next = clockIn(change, zone);
    const skipped = next - by * MINUTE;
    for (const which of ["first", "last"] as const) {
      expect(momentOf(skipped - MINUTE, zone, which)).toBe(change - MINUTE);
      expect(momentOf(skipped + MINUTE, zone, which)).toBe(change + MINUTE);
      expect(momentOf(next + MINUTE, zone, which)).toBe(change + MINUTE);
    }
  });

  it.each([
    ["Europe/Berlin", Date.UTC(2026, 9, 25, 1), 60],
    ["America/New_York", Date.UTC(2026, 10, 1, 6), 60],
    ["Australia/Lord_Howe", Date.UTC(2026, 3, 4, 15), 30],
  ])("is the first or the last of the two that clocks set back in %s show", (zone, change, by) => {
    const first = change - 10 * MINUTE;
    const last = first + by * MINUTE;
    expect(clockIn(first, zone)).toBe(clockIn(last, zone));
    expect(momentOf(clockIn(first, zone), zone, "first")).toBe(first);
    expect(momentOf(clockIn(first, zone), zone, "last")).toBe(last);
  });
});

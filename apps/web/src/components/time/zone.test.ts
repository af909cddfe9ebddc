import { expect, it } from "vitest";
import { formatClock, formatInstant } from "./format-time.ts";
import { isZone, shortZoneLabel, zoneLabel } from "./zone.ts";

const NOON = Date.UTC(2026, 10, 24, 12, 0, 0, 120);

it.each([
  ["local", true],
  ["UTC", true],
  ["Asia/Kolkata", true],
  ["Mars/Olympus", false],
  ["", false],
])("%j is a zone: %s", (zone, is) => {
  expect(isZone(zone)).toBe(is);
});

it.each([
  ["UTC", "2026-11-24 12:00:00.120 UTC"],
  ["Asia/Kolkata", "2026-11-24 17:30:00.120 GMT+5:30"],
  ["America/New_York", "2026-11-24 07:00:00.120 GMT-5"],
  ["Pacific/Kiritimati", "2026-11-25 02:00:00.120 GMT+14"],
])("an instant in %s is %s", (zone, text) => {
  expect(formatInstant(NOON, zone)).toBe(text);
});

it("the day and the year follow the zone", () => {
  const newYear = Date.UTC(2026, 11, 31, 20);
  expect(formatClock(newYear, "Asia/Tokyo", newYear + 3_600_000)).toBe("05:00:00");
  expect(formatClock(newYear, "Asia/Tokyo", newYear - 6 * 3_600_000)).toBe("1 Jan 2027 05:00:00");
});

it("a zone is named in full, or by its city where room is short", () => {
  expect(zoneLabel("America/New_York")).toBe("America/New York");
  expect(zoneLabel("local")).toBe("local time");
  expect(["local", "UTC", "America/New_York"].map(shortZoneLabel)).toEqual([
    ...["Local", "UTC", "New York"],
  ]);
});

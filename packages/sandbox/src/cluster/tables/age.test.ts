import { expect, it } from "vitest";
import { ageOf } from "./age.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

it.each([
  [0, "0s"],
  [-1 * SECOND, "0s"],
  [-5 * SECOND, "<invalid>"],
  [119 * SECOND, "119s"],
  [120 * SECOND, "2m"],
  [200 * SECOND, "3m20s"],
  [2 * HOUR, "120m"],
  [3 * HOUR, "3h"],
  [3.5 * HOUR, "3h30m"],
  [47 * HOUR, "47h"],
  [2.5 * DAY, "2d12h"],
  [10 * DAY, "10d"],
  [800 * DAY, "2y70d"],
  [9 * 365 * DAY, "9y"],
])("shows %s ms as %s", (age, shown) => {
  expect(ageOf(new Date(NOW - age).toISOString(), NOW)).toBe(shown);
});

it("reports a missing time", () => {
  expect(ageOf(null, NOW)).toBe("<unknown>");
});

import { expect, it } from "vitest";
import { parseRetryAfter } from "./retry-after.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

it.each([
  [undefined, undefined],
  ["", undefined],
  ["3", 3_000],
  ["0", 0],
  ["-5", 0],
  ["1e300", 1e303],
  ["NaN", undefined],
  ["Infinity", undefined],
  ["Thu, 01 Jan 2026 00:00:10 GMT", 10_000],
  ["Wed, 31 Dec 2025 23:00:00 GMT", 0],
  ["Fri, 31 Dec 9999 23:59:59 GMT", Date.UTC(9999, 11, 31, 23, 59, 59) - now],
  ["soon", undefined],
])("Retry-After: %s is %s", (header, waitMs) => {
  expect(parseRetryAfter(header, now)).toBe(waitMs);
});

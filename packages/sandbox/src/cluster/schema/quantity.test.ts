import { expect, it } from "vitest";
import { canonicalQuantity, nanosOf } from "./quantity.ts";

it.each([
  ["4", "4"],
  ["0", "0"],
  ["0.5", "500m"],
  [".5", "500m"],
  ["1.5", "1500m"],
  ["1000", "1k"],
  ["1000m", "1"],
  ["1024Mi", "1Gi"],
  ["1000Mi", "1000Mi"],
  ["1.5Gi", "1536Mi"],
  ["0.5Ki", "512"],
  ["1023", "1023"],
  ["1e3", "1e3"],
  ["12e6", "12e6"],
  ["5E", "5E"],
  ["-1", "-1"],
  ["+2M", "2M"],
  ["0.0000000001", "1n"],
])("spells %s as %s", (written, canonical) => {
  expect(canonicalQuantity(written)).toBe(canonical);
});

it.each(["", ".", "much", "1 Gi", "1gi", "0x1"])("does not take %j for a quantity", (written) => {
  expect(canonicalQuantity(written)).toBeUndefined();
  expect(nanosOf(written)).toBeUndefined();
});

it.each([
  ["1Gi", "1G"],
  ["2", "1999m"],
  ["1e3", "999"],
])("knows that %s is more than %s", (more, less) => {
  expect(nanosOf(more)).toBeGreaterThan(nanosOf(less) ?? 0n);
});

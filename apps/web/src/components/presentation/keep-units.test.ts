import { expect, it } from "vitest";
import { keepUnits } from "./keep-units.ts";

it.each([
  ["Next try in 2 min.", "Next try in 2_min."],
  ["after 3 h 20 min, 95 % at most 840 ms", "after 3_h_20_min, 95_% at most 840_ms"],
  ["2 minutes, 5 days, 4 security groups", "2 minutes, 5 days, 4 security groups"],
  ["status 403, 3 s ago", "status 403, 3_s ago"],
  ["", ""],
])("%j keeps numbers and units together", (text, wanted) => {
  expect(keepUnits(text)).toBe(wanted.replaceAll("_", "\u00a0"));
});

import { expect, it } from "vitest";
import { keepUnits, shortIdentity } from "./format-text.ts";

it.each([
  ["Next attempt in 2 min.", "Next attempt in 2_min."],
  ["after 3 h 20 min, 95 % at most 840 ms", "after 3_h_20_min, 95_% at most 840_ms"],
  ["2 minutes, 5 days, 4 security groups", "2 minutes, 5 days, 4 security groups"],
  ["status 403, 3 s ago", "status 403, 3_s ago"],
  ["", ""],
])("%j keeps numbers and units together", (text, wanted) => {
  expect(keepUnits(text)).toBe(wanted.replaceAll("_", "\u00a0"));
});

it.each([
  ["ctl-2_bd620aad-51bb-47c2-8bcd-41bffd2adec1", "ctl-2 (bd62)"],
  ["my_host_BD620AAD-51bb-47c2-8bcd-41bffd2adec1", "my_host (BD62)"],
  ["ctl-2", "ctl-2"],
  ["", ""],
])("%s reads %s", (identity, short) => {
  expect(shortIdentity(identity)).toBe(short);
});

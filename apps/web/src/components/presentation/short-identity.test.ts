import { expect, it } from "vitest";
import { shortIdentity } from "./short-identity.ts";

it.each([
  ["ctl-2_bd620aad-51bb-47c2-8bcd-41bffd2adec1", "ctl-2 (bd62)"],
  ["my_host_BD620AAD-51bb-47c2-8bcd-41bffd2adec1", "my_host (BD62)"],
  ["ctl-2", "ctl-2"],
  ["", ""],
])("%s reads %s", (identity, short) => {
  expect(shortIdentity(identity)).toBe(short);
});

import { expect, it } from "vitest";
import { flagLine } from "./flag-line.ts";

it.each([
  ["500", false, "--x=500"],
  ['"leases"', false, "--x=leases"],
  ['""', false, "--x="],
  ['"half', false, '--x="half'],
  ["[a,b]", false, "--x=a,b"],
  ["5,10%,10m", false, "--x=5,10%,10m"],
  ["none", false, "--x=…"],
  ["set", true, "--x=…"],
])("of a value reported as %s, secret: %s, is %s", (value, isSecret, line) => {
  expect(flagLine({ name: "x", value, isSecret })).toBe(line);
});

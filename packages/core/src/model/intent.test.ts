import { expect, it } from "vitest";
import { INTENT_STATES, isFinal, mayBecome } from "./intent.ts";

it("an intent that has ended never moves again", () => {
  for (const from of INTENT_STATES.filter(isFinal)) {
    for (const to of INTENT_STATES) expect(mayBecome(from, to)).toBe(false);
  }
});

it.each([
  ["requested", "claimed", true],
  ["requested", "verified", false],
  ["claimed", "claimed", true],
  ["running", "claimed", true],
  ["running", "verified", true],
  ["running", "expired", false],
  ["awaiting-approval", "claimed", false],
] as const)("from %s to %s: %s", (from, to, allowed) => {
  expect(mayBecome(from, to)).toBe(allowed);
});

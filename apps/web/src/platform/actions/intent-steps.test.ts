import { describe, expect, it } from "vitest";
import { intentSteps } from "./intent-steps.ts";

function text(...input: Parameters<typeof intentSteps>): string {
  return intentSteps(...input)
    .map(({ label, state }) => `${label}=${state}`)
    .join(" ");
}

const NOT_YET = { claimed: false, ran: false };

describe("the steps of an action", () => {
  it.each([
    ["requested", "Requested=current Claimed=pending Running=pending Verified=pending"],
    ["claimed", "Requested=done Claimed=current Running=pending Verified=pending"],
    ["running", "Requested=done Claimed=done Running=current Verified=pending"],
    ["verified", "Requested=done Claimed=done Running=done Verified=done"],
    ["expired", "Requested=done Expired=failed"],
  ] as const)("%s", (state, steps) => {
    expect(text(state, NOT_YET)).toBe(steps);
  });

  it("end at the failure, after the steps that were reached", () => {
    expect(text("failed", { claimed: true, ran: true })).toBe(
      "Requested=done Claimed=done Running=done Failed=failed",
    );
    expect(text("rejected", { claimed: true, ran: false })).toBe(
      "Requested=done Claimed=done Rejected=failed",
    );
  });

  it("begin with the approval where one is needed", () => {
    expect(text("awaiting-approval", NOT_YET)).toBe(
      "Awaiting approval=current Requested=pending Claimed=pending Running=pending Verified=pending",
    );
  });
});

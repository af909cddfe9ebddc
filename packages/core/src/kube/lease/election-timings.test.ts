import { describe, expect, it } from "vitest";
import { electionRequestTimeoutMs, giveUpAgeMs } from "./election-timings.ts";

const SOUND = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };

describe("the timings of an election", () => {
  it("leave a request half of the deadline, and at least a second", () => {
    expect(electionRequestTimeoutMs(SOUND)).toBe(5_000);
    expect(electionRequestTimeoutMs({ ...SOUND, renewDeadlineMs: 500 })).toBe(1_000);
  });

  it("make a leader give up before another one may lead", () => {
    expect(giveUpAgeMs(SOUND)).toBe(12_000);
    expect(giveUpAgeMs({ ...SOUND, renewDeadlineMs: 14_000 })).toBe(15_000);
  });
});

import { describe, expect, it } from "vitest";
import {
  electionRequestTimeoutMs,
  electionTimingProblems,
  giveUpAgeMs,
} from "./election-timings.ts";

const SOUND = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };

describe("the timings of an election", () => {
  it.each([
    ["upstream's defaults", {}, []],
    ["a deadline as long as the lease", { renewDeadlineMs: 15_000 }, ["lease-duration"]],
    ["a retry too long for a second try", { retryPeriodMs: 8_400 }, ["renew-deadline"]],
    ["a retry just short enough", { retryPeriodMs: 8_300 }, []],
    ["no retry period", { retryPeriodMs: 0 }, ["retry-period"]],
    [
      "a lease below a second",
      { leaseDurationMs: 900, renewDeadlineMs: 800, retryPeriodMs: 100 },
      ["lease-duration"],
    ],
    [
      "nothing at all",
      { leaseDurationMs: 0, renewDeadlineMs: 0, retryPeriodMs: 0 },
      ["lease-duration", "retry-period", "renew-deadline", "lease-duration", "renew-deadline"],
    ],
  ])("%s", (_, change, flags) => {
    const problems = electionTimingProblems({ ...SOUND, ...change });
    expect(problems.map((problem) => /^--leader-elect-(\S+)/.exec(problem)?.[1])).toEqual(flags);
  });

  it("leave a request half of the deadline, and a second at least", () => {
    expect(electionRequestTimeoutMs(SOUND)).toBe(5_000);
    expect(electionRequestTimeoutMs({ ...SOUND, renewDeadlineMs: 500 })).toBe(1_000);
  });

  it("make a leader give up before another one may lead", () => {
    expect(giveUpAgeMs(SOUND)).toBe(12_000);
    expect(giveUpAgeMs({ ...SOUND, renewDeadlineMs: 14_000 })).toBe(15_000);
  });
});

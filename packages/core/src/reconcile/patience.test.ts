import { describe, expect, it } from "vitest";
import type { Next } from "../model/plan.ts";
import { createManualClock } from "../model/testing/manual-clock.ts";
import { createPatience } from "./patience.ts";

const preview = (next: Next) => ({ plan: { changes: [], notTaken: [], next }, planHash: "" });
const done = preview({ kind: "settled", reason: { code: "InStep" } });
const busy = (forMs: number) =>
  preview({
    kind: "waiting",
    reason: { code: "BalancerProvisioning", provider: "sandbox", id: "lb-1", what: "updating" },
    forMs,
  });

describe("the pauses between looks for an effect", () => {
  it("end after so many looks that showed nothing", () => {
    const pauseAfter = createPatience(createManualClock(), 3);
    expect([done, done, done].map(pauseAfter)).toEqual([1_000, 1_000, undefined]);
  });

  it("follow the cloud while it is at work, and such looks do not count", () => {
    const pauseAfter = createPatience(createManualClock(), 1);
    expect([busy(20), busy(4_000), busy(60_000)].map(pauseAfter)).toEqual([1_000, 4_000, 10_000]);
    expect(pauseAfter(done)).toBeUndefined();
  });

  it("end with the patience for a cloud that is at work for ever", async () => {
    const clock = createManualClock();
    const pauseAfter = createPatience(clock, 1);
    await clock.advance(300_000);
    expect(pauseAfter(busy(2_000))).toBeUndefined();
  });
});

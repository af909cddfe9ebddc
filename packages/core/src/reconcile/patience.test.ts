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

describe("the pauses between checks for an effect", () => {
  it("end after the given number of checks without an effect", () => {
    const pauseAfter = createPatience(createManualClock(), 3);
    expect([done, done, done].map(pauseAfter)).toEqual([1_000, 1_000, undefined]);
  });

  it("follow a cloud that is still at work, and such checks do not count", () => {
    const pauseAfter = createPatience(createManualClock(), 1);
    expect([busy(20), busy(4_000), busy(60_000)].map(pauseAfter)).toEqual([1_000, 4_000, 10_000]);
    expect(pauseAfter(done)).toBeUndefined();
  });

  it("end when a cloud stays at work for too long", async () => {
    const clock = createManualClock();
    const pauseAfter = createPatience(clock, 1);
    await clock.advance(300_000);
    expect(pauseAfter(busy(2_000))).toBeUndefined();
  });
});

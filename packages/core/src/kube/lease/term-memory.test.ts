import { describe, expect, it } from "vitest";
import { createManualClock } from "../testing/manual-clock.ts";
import { type Moment, TermMemory, termFence } from "./term-memory.ts";

/** Upstream's timings: a leader gives up 12 s after its last renewal, before the Lease of 15 s ends. */
const TIMINGS = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };
const GIVE_UP_MS = 12_000;

function fixture(timings = TIMINGS) {
  const clock = createManualClock();
  const memory = new TermMemory();
  let ahead = 0;
  const skewed = { ...clock, now: () => clock.now() + ahead };
  return {
    memory,
    clock,
    fence: termFence(memory, { clock: skewed, timings }),
    renew: () => memory.confirm({ monotonic: clock.monotonic(), wall: clock.now() + ahead }),
    /** Sets the wall clock, like a user or NTP; the monotonic one goes on. */
    setClock: (ms: number) => {
      ahead += ms;
    },
  };
}

describe("what two threads know of a term", () => {
  it("is in shared memory: what one writes the other reads at once", () => {
    const renewing = new TermMemory();
    const acting = new TermMemory(renewing.buffer);
    expect(acting.leads).toBe(false);
    renewing.confirm({ monotonic: 5, wall: 1_767_225_600_000 });
    expect(acting.leads).toBe(true);
    expect(acting.renewed).toEqual({ monotonic: 5, wall: 1_767_225_600_000 });
    acting.hear(77);
    expect(renewing.heard).toBe(77);
    renewing.end();
    expect(acting.leads).toBe(false);
  });

  it.each<[string, Moment]>([
    ["part of a millisecond", { monotonic: 0.125, wall: 1_767_225_600_000 }],
    ["a process that runs for years", { monotonic: 3e11 + 0.5, wall: 4_102_444_800_000 }],
    ["the very start", { monotonic: 0, wall: 0 }],
  ])("keeps times exact to the microsecond: %s", (_what, at) => {
    const memory = new TermMemory();
    memory.confirm(at);
    expect(memory.renewed.monotonic).toBeCloseTo(at.monotonic, 3);
    expect(memory.renewed.wall).toBe(at.wall);
  });

  it("of one process does not affect another", () => {
    const [one, other] = [new TermMemory(), new TermMemory()];
    one.confirm({ monotonic: 1, wall: 1 });
    expect(other.leads).toBe(false);
  });
});

describe("the write fence", () => {
  it("lets nothing through before the first term", () => {
    const { fence } = fixture();
    expect([fence.isLeader(), fence.renewalAgeMs()]).toEqual([false, undefined]);
  });

  it.each([
    ["right after a renewal", 0, true],
    ["just before it gives up", GIVE_UP_MS - 1, true],
    ["when it gives up", GIVE_UP_MS, false],
    ["long after", 60_000, false],
  ])("%s (%i ms): %s", async (_when, ms, isLeader) => {
    const { fence, renew, clock } = fixture();
    renew();
    await clock.advance(ms);
    expect(fence.isLeader()).toBe(isLeader);
    expect(fence.renewalAgeMs()).toBe(ms);
  });

  it("is open for as long again after each renewal", async () => {
    const { fence, renew, clock } = fixture();
    for (let renewals = 0; renewals < 3; renewals++) {
      renew();
      await clock.advance(GIVE_UP_MS - 1);
      expect(fence.isLeader()).toBe(true);
    }
  });

  it("closes with the term, however recent its renewal is", () => {
    const { fence, renew, memory } = fixture();
    renew();
    memory.end();
    expect([fence.isLeader(), fence.renewalAgeMs()]).toEqual([false, undefined]);
  });

  it("closes by the wall clock when the machine was asleep: the monotonic one stood still", () => {
    const { fence, renew, setClock } = fixture();
    renew();
    setClock(GIVE_UP_MS);
    expect(fence.isLeader()).toBe(false);
    expect(fence.renewalAgeMs()).toBe(0);
  });

  it("closes by the monotonic clock when the wall clock is set back", async () => {
    const { fence, renew, clock, setClock } = fixture();
    renew();
    await clock.advance(GIVE_UP_MS);
    setClock(-GIVE_UP_MS);
    expect(fence.isLeader()).toBe(false);
  });

  it("never outlasts the Lease, however long the renewal may be retried", async () => {
    const { fence, renew, clock } = fixture({
      ...TIMINGS,
      renewDeadlineMs: 14_000,
      retryPeriodMs: 9_000,
    });
    renew();
    await clock.advance(14_999);
    expect(fence.isLeader()).toBe(true);
    await clock.advance(1);
    expect(fence.isLeader()).toBe(false);
  });
});

describe("the election's own fence", () => {
  it("lets a candidate try, and a leader renew until it gives up", async () => {
    const { fence, renew, clock } = fixture();
    await clock.advance(60_000);
    expect(fence.mayRenew()).toBe(true);
    renew();
    await clock.advance(GIVE_UP_MS - 1);
    expect(fence.mayRenew()).toBe(true);
    await clock.advance(1);
    expect(fence.mayRenew()).toBe(false);
  });

  it("does not cost a leader its Lease when the wall clock is set forward", () => {
    const { fence, renew, setClock } = fixture();
    renew();
    setClock(3_600_000);
    expect([fence.isLeader(), fence.mayRenew()]).toEqual([false, true]);
  });

  it("lets the process compete again once its term is over", async () => {
    const { fence, renew, memory, clock } = fixture();
    renew();
    await clock.advance(GIVE_UP_MS);
    memory.end();
    expect(fence.mayRenew()).toBe(true);
  });
});

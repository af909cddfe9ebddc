import { describe, expect, it } from "vitest";
import { createManualClock } from "../testing/manual-clock.ts";
import { createRateLimit } from "./rate-limit.ts";

describe("the client-side limit", () => {
  it("lets a burst pass at once and then the configured number per second, in order of arrival", async () => {
    const clock = createManualClock();
    const limit = createRateLimit({ qps: 10, burst: 3, clock });
    const passed: { caller: number; at: number; waitedMs: number }[] = [];
    for (let caller = 0; caller < 6; caller += 1) {
      void Promise.resolve(limit.acquire()).then((waitedMs) => {
        passed.push({ caller, at: clock.monotonic(), waitedMs });
      });
    }
    await clock.advance(1_000);
    expect(passed).toEqual([
      { caller: 0, at: 0, waitedMs: 0 },
      { caller: 1, at: 0, waitedMs: 0 },
      { caller: 2, at: 0, waitedMs: 0 },
      { caller: 3, at: 100, waitedMs: 100 },
      { caller: 4, at: 200, waitedMs: 200 },
      { caller: 5, at: 300, waitedMs: 300 },
    ]);
  });

  it("accumulates no more than the burst while idle", async () => {
    const clock = createManualClock();
    const limit = createRateLimit({ qps: 1, burst: 2, clock });
    await clock.advance(60_000);
    await limit.acquire();
    await limit.acquire();
    let third = -1;
    void Promise.resolve(limit.acquire()).then((waitedMs) => {
      third = waitedMs;
    });
    await clock.advance(999);
    expect(third).toBe(-1);
    await clock.advance(1);
    expect(third).toBe(1_000);
  });

  it("returns the token of a caller that gives up", async () => {
    const clock = createManualClock();
    const limit = createRateLimit({ qps: 1, burst: 1, clock });
    await limit.acquire();
    const giveUp = new AbortController();
    const first = limit.acquire(giveUp.signal);
    giveUp.abort();
    await first;
    let waited = -1;
    void Promise.resolve(limit.acquire()).then((waitedMs) => {
      waited = waitedMs;
    });
    await clock.advance(1_000);
    expect(waited).toBe(1_000);
  });

  it.each([0, -1])("has no limit at %d calls a second", async (qps) => {
    const limit = createRateLimit({ qps, burst: 1, clock: createManualClock() });
    const waits = await Promise.all(Array.from({ length: 1_000 }, () => limit.acquire()));
    expect(new Set(waits)).toEqual(new Set([0]));
  });
});

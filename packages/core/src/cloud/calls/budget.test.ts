import { ProviderError } from "@cloudwright/provider-api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallPriority } from "../../model/call-priority.ts";
import { createManualClock, type ManualClock } from "../../model/testing/manual-clock.ts";
import { type CloudBudget, createCloudBudget } from "./budget.ts";

const never = new AbortController().signal;

interface Fixture {
  readonly clock: ManualClock;
  readonly budget: CloudBudget;
  /** Starts to wait for a turn; the label is in `left` once the turn has come. */
  ask(label: string, priority?: CallPriority): void;
  readonly left: string[];
}

function fixture(maxWaitMs?: number): Fixture {
  const clock = createManualClock();
  const limit = maxWaitMs === undefined ? {} : { maxWaitMs };
  const budget = createCloudBudget({ provider: "sandbox", clock, ...limit });
  const left: string[] = [];
  return {
    clock,
    budget,
    left,
    ask: (label, priority = "new") => {
      budget.acquire(priority, never).then(
        () => left.push(label),
        () => left.push(`${label} refused`),
      );
    },
  };
}

function tooMany(retryAfterMs?: number): ProviderError {
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  const call = { provider: "sandbox", operation: "GET /v1/instances", requestId: "r-1", ...wait };
  return new ProviderError("Throttled", "Too many requests.", { ...call, status: 429 });
}

describe("cloud budget", () => {
  it("has no limit before the first 429", async () => {
    const { budget } = fixture();
    for (let call = 0; call < 500; call++) expect(await budget.acquire("refresh", never)).toBe(0);
    expect(budget.snapshot()).toEqual({
      callsLastMinute: 500,
      throttledLastMinute: 0,
      allowedPerSecond: undefined,
      resumesAt: undefined,
      failingSince: undefined,
      closedSince: undefined,
    });
  });

  it("knows since when the cloud has served no call, until it serves one or answers 429", async () => {
    const { budget, clock } = fixture();
    const gone = new ProviderError("Unavailable", "It is away.", {
      provider: "sandbox",
      operation: "GET /v1/instances",
    });
    const since = clock.now();
    budget.failed(gone);
    await clock.advance(30_000);
    budget.failed(gone);
    expect(budget.snapshot().failingSince).toBe(since);
    budget.answered();
    expect(budget.snapshot().failingSince).toBeUndefined();
    budget.failed(gone);
    budget.throttled(tooMany(), clock.monotonic());
    expect(budget.snapshot().failingSince).toBeUndefined();
  });

  it("is closed once the cloud has refused every call for ten minutes, until it serves one", async () => {
    const { budget, clock } = fixture();
    const since = clock.now();
    budget.throttled(tooMany(599_000), clock.monotonic());
    await clock.advance(599_000);
    expect(budget.snapshot().closedSince).toBeUndefined();
    await clock.advance(3_600_000);
    expect(budget.snapshot().closedSince).toBeUndefined();
    budget.throttled(tooMany(3_000), clock.monotonic());
    expect(budget.snapshot().closedSince).toBe(since);
    budget.answered();
    expect(budget.snapshot().closedSince).toBeUndefined();
  });

  it("lets only one call through while it is closed, and the others once that was served", async () => {
    const { budget, clock, ask, left } = fixture();
    for (let call = 0; call < 50; call++) budget.answered();
    budget.throttled(tooMany(600_000), clock.monotonic());
    await clock.advance(595_000);
    for (const label of ["a", "b", "c", "d"]) ask(label);
    await clock.advance(9_000);
    expect(left).toEqual(["a"]);
    budget.answered();
    await clock.advance(1_000);
    expect(left).toEqual(["a", "b", "c", "d"]);
  });

  it("lets the next call through while it is closed if the first was abandoned without an answer", async () => {
    const { budget, clock, ask, left } = fixture();
    budget.throttled(tooMany(600_000), clock.monotonic());
    await clock.advance(599_999);
    for (const label of ["a", "b"]) ask(label);
    await clock.advance(9_999);
    expect(left).toEqual(["a"]);
    await clock.advance(3);
    expect(left).toEqual(["a", "b"]);
  });

  it("lets nothing through before Retry-After has passed, then one call before the others", async () => {
    const { budget, clock, ask, left } = fixture();
    budget.throttled(tooMany(3_000), clock.monotonic());
    expect(budget.snapshot().resumesAt).toBe(clock.now() + 3_000);
    for (const label of ["a", "b", "c"]) ask(label);
    await clock.advance(2_999);
    expect(left).toEqual([]);
    await clock.advance(1);
    expect(left).toEqual(["a"]);
    await clock.advance(2_000);
    expect(left).toEqual(["a", "b", "c"]);
  });

  it("waits longer after each 429 without a time", async () => {
    const { budget, clock } = fixture();
    const waits = [];
    for (let round = 0; round < 4; round++) {
      budget.throttled(tooMany(), clock.monotonic());
      waits.push(budget.waitMs());
      await clock.advance(budget.waitMs());
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
    budget.answered();
    budget.throttled(tooMany(), clock.monotonic());
    expect(budget.waitMs()).toBe(1_000);
  });

  it("continues slightly below the served rate, lowers the limit once per burst and raises it additively", async () => {
    const { budget, clock } = fixture();
    for (let call = 0; call < 40; call++) await budget.acquire("new", never);
    for (let answer = 0; answer < 30; answer++) budget.answered();
    for (let answer = 0; answer < 10; answer++) budget.throttled(tooMany(0), clock.monotonic());
    expect(budget.snapshot().allowedPerSecond).toBe(27);
    await clock.advance(5_000);
    expect(budget.snapshot().allowedPerSecond).toBeCloseTo(32);
    budget.throttled(tooMany(0), clock.monotonic());
    expect(budget.snapshot().allowedPerSecond).toBeCloseTo(22.4);
    await clock.advance(100_000);
    expect(budget.snapshot().allowedPerSecond).toBeUndefined();
  });

  it("keeps a limit even if the cloud serves hundreds a second", async () => {
    const { budget, clock } = fixture();
    for (let answer = 0; answer < 300; answer++) budget.answered();
    budget.throttled(tooMany(0), clock.monotonic());
    await clock.advance(10_000);
    expect(budget.snapshot().allowedPerSecond).toBeCloseTo(280);
    await clock.advance(400_000);
    expect(budget.snapshot().allowedPerSecond).toBeUndefined();
  });

  it("serves a user first, then new nodes, deletions and the refresh", async () => {
    const { budget, clock, ask, left } = fixture();
    budget.throttled(tooMany(1_000), clock.monotonic());
    for (let call = 0; call < 3; call++) ask(`refresh ${call}`, "refresh");
    ask("deletion", "deletion");
    ask("new", "new");
    ask("person", "person");
    await clock.advance(10_000);
    expect(left).toEqual(["person", "new", "deletion", "refresh 0", "refresh 1", "refresh 2"]);
  });

  it("refuses at once what could not be sent in time, naming the throttled call", async () => {
    const { budget, clock } = fixture(10_000);
    budget.throttled(tooMany(60_000), clock.monotonic());
    const refused = await budget.acquire("new", never).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "Throttled",
      call: { operation: "GET /v1/instances", requestId: "r-1", retryAfterMs: 60_000 },
    });
  });

  it("releases a pending request whose run ended, and serves the others", async () => {
    const { budget, clock, ask, left } = fixture();
    const ends = new AbortController();
    budget.throttled(tooMany(1_000), clock.monotonic());
    const waiting = budget.acquire("person", ends.signal).catch((error: unknown) => error);
    ask("other");
    ends.abort(new Error("ended"));
    expect(await waiting).toMatchObject({ message: "ended" });
    await clock.advance(1_000);
    expect(left).toEqual(["other"]);
  });

  it("never exceeds its rate", async () => {
    const asks = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(asks, async (gaps) => {
        const { budget, clock, ask, left } = fixture(3_600_000);
        budget.throttled(tooMany(500), clock.monotonic());
        let allowed = 1;
        for (const [index, gap] of gaps.entries()) {
          ask(String(index), "refresh");
          const rate = budget.snapshot().allowedPerSecond ?? Number.POSITIVE_INFINITY;
          allowed += ((rate + gap / 1_000) * gap) / 1_000;
          await clock.advance(gap);
          expect(left.length).toBeLessThanOrEqual(Math.ceil(allowed));
        }
        await clock.advance(3_600_000);
        expect(left.length).toBe(gaps.length);
      }),
      { numRuns: 30 },
    );
  });
});

import { describe, expect, it } from "vitest";
import type { Plan } from "../../model/plan.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import type { Clock } from "../../model/time.ts";
import { WriteSlot, WriteSlotPools } from "./write-slot.ts";

const PLAN: Plan = {
  changes: [],
  notTaken: [],
  next: { kind: "settled", reason: { code: "InStep" } },
};
const NEVER = new AbortController().signal;
const IN_BULK = { isInBulk: () => true };

function fixture(concurrency = 1) {
  const clock = createManualClock();
  const pools = new WriteSlotPools(concurrency);
  const [single, bulk] = [pools.of({}, PLAN), pools.of(IN_BULK, PLAN)];
  return { clock, pools, single, bulk, slot: () => new WriteSlot(clock) };
}

/** Returns how many of this many runs get a slot at once. */
async function taken(count: number, take: () => Promise<unknown>): Promise<number> {
  let held = 0;
  for (let index = 0; index < count; index++) {
    take().then(
      () => {
        held += 1;
      },
      () => undefined,
    );
  }
  await new Promise((resolve) => setImmediate(resolve));
  return held;
}

describe("how many runs may write at the same time", () => {
  it.each([
    [1, 1, 8],
    [5, 5, 40],
  ])("is the flag's %i, plus eight times as many for bulk runs", async (flag, one, many) => {
    const { single, bulk, slot } = fixture(flag);
    expect(await taken(100, () => slot().take(single, NEVER))).toBe(one);
    expect(await taken(100, () => slot().take(bulk, NEVER))).toBe(many);
  });

  it("is that number for both together if it is strict", async () => {
    const pools = new WriteSlotPools(2, true);
    const { slot } = fixture();
    expect(await taken(10, () => slot().take(pools.of(IN_BULK, PLAN), NEVER))).toBe(2);
    expect(await taken(10, () => slot().take(pools.of({}, PLAN), NEVER))).toBe(0);
  });

  it("depends on the plan, if the reconciler has bulk plans at all", () => {
    const { pools, single, bulk } = fixture();
    expect(single).not.toBe(bulk);
    expect(pools.of({ isInBulk: (plan) => plan === PLAN }, PLAN)).toBe(bulk);
    expect(pools.of({ isInBulk: (plan) => plan !== PLAN }, PLAN)).toBe(single);
  });
});

describe("a run's slot", () => {
  it("comes with the time that it took to get it", async () => {
    const { single, slot, clock } = fixture();
    const [first, second] = [slot(), slot()];
    expect(await first.take(single, NEVER)).toBe(0);
    const waiting = second.take(single, NEVER);
    await clock.advance(250);
    first.leave();
    expect(await waiting).toBe(250);
    expect([first.isAmong(single), second.isAmong(single)]).toEqual([false, true]);
  });

  it("is released when the run takes one from another pool: no run has two", async () => {
    const { single, bulk, slot } = fixture();
    const run = slot();
    await run.take(single, NEVER);
    await run.take(bulk, NEVER);
    expect([run.isAmong(single), run.isAmong(bulk)]).toEqual([false, true]);
    expect(await taken(2, () => slot().take(single, NEVER))).toBe(1);
  });

  it("that is released twice is free once", async () => {
    const { single, slot } = fixture();
    const run = slot();
    await run.take(single, NEVER);
    run.leave();
    run.leave();
    expect(await taken(2, () => slot().take(single, NEVER))).toBe(1);
  });

  it("is not kept for a run that was aborted while it waited", async () => {
    const { single, slot } = fixture();
    const [first, second] = [slot(), slot()];
    await first.take(single, NEVER);
    const ended = new AbortController();
    const waiting = second.take(single, ended.signal);
    ended.abort(new Error("timed out"));
    await expect(waiting).rejects.toThrow("timed out");
    first.leave();
    expect(second.isAmong(single)).toBe(false);
    expect(await taken(2, () => slot().take(single, NEVER))).toBe(1);
  });
});

describe("before ended runs are recorded", () => {
  it("others that wait may send first, and the run's own slot goes to one of them", async () => {
    const { bulk, slot, clock } = fixture();
    const runs = Array.from({ length: 8 }, slot);
    for (const run of runs) await run.take(bulk, NEVER);
    const other = slot();
    const waiting = other.take(bulk, NEVER);
    const yielded = runs[0]?.letOthersWrite();
    await waiting;
    expect([runs[0]?.isAmong(bulk), other.isAmong(bulk)]).toEqual([false, true]);
    await clock.advance(0);
    await yielded;
  });

  it("the record is held back for at most half a second, however many wait", async () => {
    const { bulk } = fixture();
    let elapsed = 0;
    const clock: Clock = {
      now: () => elapsed,
      monotonic: () => elapsed,
      after: (_ms, callback) => {
        elapsed += 100;
        queueMicrotask(callback);
        return () => undefined;
      },
    };
    const run = new WriteSlot(clock);
    await run.take(bulk, NEVER);
    for (let index = 0; index < 50; index++) void new WriteSlot(clock).take(bulk, NEVER);
    await run.letOthersWrite();
    expect(elapsed).toBe(500);
  });

  it("nothing is held back and no slot is released if nobody waits", async () => {
    const { bulk, slot } = fixture();
    const run = slot();
    await run.take(bulk, NEVER);
    await run.letOthersWrite();
    await run.letBurstGoOut();
    expect(run.isAmong(bulk)).toBe(true);
  });

  it("a run that is not in bulk keeps its slot between two plans, whoever waits", async () => {
    const { single, slot } = fixture();
    const run = slot();
    await run.take(single, NEVER);
    void slot().take(single, NEVER);
    await run.letBurstGoOut();
    expect(run.isAmong(single)).toBe(true);
  });
});

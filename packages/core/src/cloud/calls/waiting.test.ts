import { describe, expect, it } from "vitest";
import type { CallPriority } from "../../model/call-priority.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { CallQueue } from "./call-queue.ts";
import { RecentCount } from "./recent-count.ts";
import { Slots } from "./slots.ts";

const never = new AbortController().signal;

/** Records which calls went, in order. */
function diary() {
  const gone: string[] = [];
  const note = (who: string) => (promise: Promise<void>) =>
    void promise.then(
      () => gone.push(who),
      (error: unknown) => gone.push(`${who} left: ${String(error)}`),
    );
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { gone, note, settled };
}

describe("calls that wait for their turn", () => {
  function joined(...all: readonly (readonly [string, CallPriority])[]) {
    const queue = new CallQueue();
    const { gone, note, settled } = diary();
    for (const [who, priority] of all) note(who)(queue.join(priority, never));
    const drain = async () => {
      while (queue.letNextGo()) await settled();
    };
    return { queue, gone, note, settled, drain };
  }

  it("go by urgency, and in order of arrival among equals", async () => {
    const { gone, drain } = joined(
      ["refresh 1", "refresh"],
      ["deletion", "deletion"],
      ["new 1", "new"],
      ["person", "person"],
      ["new 2", "new"],
      ["refresh 2", "refresh"],
    );
    await drain();
    expect(gone).toEqual(["person", "new 1", "new 2", "deletion", "refresh 1", "refresh 2"]);
  });

  it("come after those that are as urgent or more", () => {
    const { queue } = joined(["a", "person"], ["b", "new"], ["c", "new"], ["d", "refresh"]);
    expect(queue.size).toBe(4);
    expect(queue.ahead("person")).toBe(1);
    expect(queue.ahead("new")).toBe(3);
    expect(queue.ahead("deletion")).toBe(3);
    expect(queue.ahead("refresh")).toBe(4);
  });

  it("leave when the caller gives up, and do not go afterwards", async () => {
    const { queue, gone, note, settled, drain } = joined(["first", "new"]);
    const ends = new AbortController();
    note("second")(queue.join("new", ends.signal));
    ends.abort("too late");
    await settled();
    expect(queue.size).toBe(1);
    await drain();
    expect(gone).toEqual(["second left: too late", "first"]);
  });

  it("are not ended by a caller that gives up once they have gone", async () => {
    const { queue, gone, note, settled } = joined();
    const ends = new AbortController();
    note("only")(queue.join("new", ends.signal));
    expect(queue.letNextGo()).toBe(true);
    ends.abort("too late");
    await settled();
    expect(gone).toEqual(["only"]);
    expect(queue.letNextGo()).toBe(false);
  });
});

describe("a fixed number of slots", () => {
  it("gives a free slot at once, and otherwise serves in order of arrival", async () => {
    const slots = new Slots(1);
    const { gone, note, settled } = diary();
    for (const who of ["a", "b", "c"]) note(who)(slots.take(never));
    await settled();
    expect([gone, slots.isAwaited]).toEqual([["a"], true]);
    slots.free();
    await settled();
    expect(gone).toEqual(["a", "b"]);
    slots.free();
    await settled();
    expect([gone, slots.isAwaited]).toEqual([["a", "b", "c"], false]);
  });

  it("does not grow when a slot is handed on, and gets the slot back when nobody waits", async () => {
    const slots = new Slots(1);
    const { gone, note, settled } = diary();
    note("a")(slots.take(never));
    note("b")(slots.take(never));
    slots.free();
    note("c")(slots.take(never));
    await settled();
    expect(gone).toEqual(["a", "b"]);
    slots.free();
    slots.free();
    note("d")(slots.take(never));
    await settled();
    expect(gone).toEqual(["a", "b", "c", "d"]);
  });

  it("loses no slot to a caller that gave up waiting", async () => {
    const slots = new Slots(1);
    const { gone, note, settled } = diary();
    const ends = new AbortController();
    note("a")(slots.take(never));
    note("b")(slots.take(ends.signal));
    note("c")(slots.take(never));
    ends.abort("stopped");
    slots.free();
    await settled();
    expect(gone).toEqual(["a", "b left: stopped", "c"]);
  });

  it("gives no slot to a caller that has already given up, even if one is free", async () => {
    const slots = new Slots(1);
    const { gone, note, settled } = diary();
    note("late")(slots.take(AbortSignal.abort("stopped")));
    note("next")(slots.take(never));
    await settled();
    expect(gone).toEqual(expect.arrayContaining(["late left: stopped", "next"]));
  });
});

describe("the count of recent events", () => {
  function counting() {
    const clock = createManualClock();
    return { clock, count: new RecentCount(clock) };
  }

  it("is zero before the first, and forgets what is a minute old", async () => {
    const { clock, count } = counting();
    expect(count.within(60_000)).toBe(0);
    count.add();
    count.add();
    expect(count.within(60_000)).toBe(2);
    await clock.advance(59_000);
    expect(count.within(60_000)).toBe(2);
    await clock.advance(1_500);
    expect(count.within(60_000)).toBe(0);
  });

  it("can cover only the last part of the minute", async () => {
    const { clock, count } = counting();
    count.add();
    await clock.advance(10_000);
    count.add();
    count.add();
    expect(count.within(5_000)).toBe(2);
    expect(count.within(20_000)).toBe(3);
  });

  it("restarts a slot when its place comes round again", async () => {
    const { clock, count } = counting();
    for (let each = 0; each < 5; each += 1) count.add();
    // After this many slots the same place is reused.
    await clock.advance(241 * 250);
    count.add();
    expect(count.within(60_000)).toBe(1);
  });
});

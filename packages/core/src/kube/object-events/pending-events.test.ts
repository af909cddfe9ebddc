import { describe, expect, it } from "vitest";
import { createPendingEvents } from "./pending-events.ts";
import type { SeenEvent } from "./read-event.ts";

function event(uid: string, count = 1): SeenEvent {
  return {
    ...{ uid, count, firstAt: 1_000, lastAt: 1_000 + count, eventType: "Normal" },
    ...{ object: { kind: "Node", name: "w-1" }, reason: "Starting", message: "", component: "x" },
  };
}

function counts(events: readonly SeenEvent[]): readonly (readonly [string, number])[] {
  return events.map(({ uid, count }) => [uid, count]);
}

describe("Events that wait to be recorded", () => {
  it("are one record each with the newest count, however often they repeat", () => {
    const pending = createPendingEvents({ most: 10, remembered: 10 });
    for (let count = 1; count <= 500; count += 1) pending.put(event("a", count));
    pending.put(event("b"));
    pending.put(event("a", 3));
    expect(counts(pending.take(10))).toEqual([
      ["a", 500],
      ["b", 1],
    ]);
    expect(pending.size).toBe(0);
  });

  it("are taken oldest first, and at most as many as requested", () => {
    const pending = createPendingEvents({ most: 10, remembered: 10 });
    for (const uid of ["a", "b", "c"]) pending.put(event(uid));
    expect(counts(pending.take(2))).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
    expect(counts(pending.take(2))).toEqual([["c", 1]]);
  });

  it("leave out those beyond the limit, but still count those that wait", () => {
    const pending = createPendingEvents({ most: 1, remembered: 10 });
    expect([event("a"), event("b"), event("a", 2)].map(pending.put)).toEqual([true, false, true]);
    expect(counts(pending.take(10))).toEqual([["a", 2]]);
    expect(pending.put(event("b"))).toBe(true);
  });

  it("do not wait again while they are the same as recorded", () => {
    const pending = createPendingEvents({ most: 10, remembered: 2 });
    pending.put(event("a"));
    pending.take(10);
    expect(pending.put(event("a"))).toBe(true);
    expect(pending.size).toBe(0);
    pending.put(event("a", 2));
    expect(counts(pending.take(10))).toEqual([["a", 2]]);
  });

  it("forget what was recorded longest ago", () => {
    const pending = createPendingEvents({ most: 10, remembered: 2 });
    for (const uid of ["a", "b", "c"]) {
      pending.put(event(uid));
      pending.take(10);
    }
    pending.put(event("a"));
    expect(counts(pending.take(10))).toEqual([["a", 1]]);
  });
});

import { describe, expect, it } from "vitest";
import { createManualClock } from "../testing/manual-clock.ts";
import { createEventCorrelator, type EventSubject } from "./event-correlation.ts";

function subject(change: Partial<EventSubject> = {}): EventSubject {
  return { objectKey: "Node w-1", type: "Warning", reason: "Failed", message: "no", ...change };
}

describe("the correlation of events", () => {
  it("makes identical events one series", () => {
    const correlate = createEventCorrelator(createManualClock());
    const keys = new Set(Array.from({ length: 5 }, () => correlate(subject()).seriesKey));
    expect(keys.size).toBe(1);
  });

  it.each([
    ["object", { objectKey: "Node w-2" }],
    ["type", { type: "Normal" }],
    ["reason", { reason: "Other" }],
    ["message", { message: "yes" }],
  ])("separates what differs in %s", (_, change) => {
    const correlate = createEventCorrelator(createManualClock());
    expect(correlate(subject()).seriesKey).not.toBe(correlate(subject(change)).seriesKey);
  });

  it("combines what differs only in the message from the eleventh message on", () => {
    const correlate = createEventCorrelator(createManualClock());
    const found = Array.from({ length: 13 }, (_, index) =>
      correlate(subject({ message: `m${index}` })),
    );
    expect(new Set(found.slice(0, 10).map((event) => event.seriesKey)).size).toBe(10);
    expect(found.slice(10).map((event) => event.message)).toEqual([
      "(combined from similar events): m10",
      "(combined from similar events): m11",
      "(combined from similar events): m12",
    ]);
    expect(new Set(found.slice(10).map((event) => event.seriesKey)).size).toBe(1);
    expect(correlate(subject({ message: "m3" })).message).toBe("m3");
  });

  it("starts a new series after ten minutes without a similar event", async () => {
    const clock = createManualClock();
    const correlate = createEventCorrelator(clock);
    for (let index = 0; index < 12; index += 1) correlate(subject({ message: `m${index}` }));
    await clock.advance(600_001);
    expect(correlate(subject({ message: "later" })).message).toBe("later");
  });

  it("suppresses an object's events after 25 of a type, and lets one pass every five minutes", async () => {
    const clock = createManualClock();
    const correlate = createEventCorrelator(clock);
    const admitted = Array.from({ length: 30 }, () => correlate(subject()).admitted);
    expect(admitted.filter(Boolean)).toHaveLength(25);
    expect(correlate(subject({ type: "Normal" })).admitted).toBe(true);
    expect(correlate(subject({ objectKey: "Node w-2" })).admitted).toBe(true);
    await clock.advance(299_000);
    expect(correlate(subject()).admitted).toBe(false);
    await clock.advance(1_000);
    expect(correlate(subject()).admitted).toBe(true);
    expect(correlate(subject()).admitted).toBe(false);
  });
});

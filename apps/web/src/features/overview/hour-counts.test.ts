import { describe, expect, it } from "vitest";
import { barsOf, barText } from "./hour-counts.ts";

const MINUTE = 60_000;
const MINUTES = Array.from({ length: 60 }, (_, index) => ({
  at: index * MINUTE,
  changed: index % 2,
  waiting: 0,
  failed: index === 59 ? 2 : 0,
}));

describe("the bars of an hour", () => {
  it("are one per minute, each as long as its minute", () => {
    const bars = barsOf(MINUTES, 1);
    expect(bars).toHaveLength(60);
    expect(bars[59]).toEqual({
      ...{ at: 59 * MINUTE, until: 60 * MINUTE },
      ...{ changed: 1, waiting: 0, failed: 2, total: 3 },
    });
  });

  it("are merged where there is room for few", () => {
    const bars = barsOf(MINUTES, 5);
    expect(bars).toHaveLength(12);
    expect(bars[11]).toMatchObject({ at: 55 * MINUTE, until: 60 * MINUTE, changed: 3, total: 5 });
    expect(bars.reduce((sum, { total }) => sum + total, 0)).toBe(32);
  });

  it("end with a shorter one if the minutes do not divide evenly", () => {
    expect(barsOf(MINUTES.slice(0, 7), 5).at(-1)).toMatchObject({ until: 7 * MINUTE });
  });

  it.each([
    [{ changed: 5, waiting: 0, failed: 1 }, "5 changed, 1 failed"],
    [{ changed: 0, waiting: 2, failed: 0 }, "2 requeued"],
    [{ changed: 0, waiting: 0, failed: 0 }, "none"],
  ])("%j reads: %s", (minute, text) => {
    expect(barText(minute)).toBe(text);
  });
});

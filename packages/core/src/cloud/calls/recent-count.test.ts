import { describe, expect, it } from "vitest";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { RecentCount } from "./recent-count.ts";

function fixture() {
  const clock = createManualClock();
  const count = new RecentCount(clock);
  return {
    clock,
    count,
    add: (times: number) => {
      for (let index = 0; index < times; index++) count.add();
    },
  };
}

describe("the events of the last minute", () => {
  it("are counted to the quarter of a second, and forgotten after the window", async () => {
    const { clock, count, add } = fixture();
    add(3);
    await clock.advance(59_750);
    expect(count.within(60_000)).toBe(3);
    await clock.advance(250);
    expect(count.within(60_000)).toBe(0);
  });

  it.each([
    [1_000, 2],
    [2_000, 5],
    [60_000, 9],
  ])("within %i ms are those that came since then", async (windowMs, counted) => {
    const { clock, count, add } = fixture();
    add(4);
    await clock.advance(10_000);
    add(3);
    await clock.advance(1_500);
    add(2);
    expect(count.within(windowMs)).toBe(counted);
  });

  it("do not include those of a whole minute ago in the same slot", async () => {
    const { clock, count, add } = fixture();
    add(100);
    await clock.advance(241 * 250);
    add(1);
    expect(count.within(60_000)).toBe(1);
  });

  it("are all counted, however many: memory does not grow", async () => {
    const { clock, count, add } = fixture();
    for (let second = 0; second < 50; second++) {
      add(1_000);
      await clock.advance(1_000);
    }
    expect(count.within(60_000)).toBe(50_000);
  });

  it("are none before the first", () => {
    expect(fixture().count.within(60_000)).toBe(0);
  });
});

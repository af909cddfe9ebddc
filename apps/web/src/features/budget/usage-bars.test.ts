import { describe, expect, it } from "vitest";
import { minutes, use } from "./testing/budget-view.ts";
import { drawChart, mergeBuckets } from "./usage-bars.ts";

describe("merged buckets", () => {
  it("count from the newest, and are unknown only if all of them are", () => {
    const merged = mergeBuckets(
      minutes(use({ calls: 9 }), undefined, undefined, use({ calls: 2 }), undefined),
      2,
    );
    expect(merged.map(({ at, until }) => [at / 60_000, until / 60_000])).toEqual([
      [0, 1],
      [1, 3],
      [3, 5],
    ]);
    expect(merged.map(({ use: own }) => own?.calls)).toEqual([9, undefined, 2]);
  });

  it("add calls and keep the busiest minute, the lowest limit and the largest share", () => {
    const [merged] = mergeBuckets(
      minutes(
        use({ calls: 10, limitPerMinute: 20, share: 0.5 }),
        use({ calls: 30, limitPerMinute: 40, share: 0.75, throttled: 1 }),
        use({ calls: 5 }),
      ),
      3,
    );
    expect(merged?.use).toEqual({
      calls: 45,
      throttled: 1,
      callsPerMinute: 30,
      limitPerMinute: 20,
      share: 0.75,
    });
  });
});

describe("a chart", () => {
  it("is as high as a round number above its highest bar", () => {
    const { top, bars } = drawChart(minutes(use({ calls: 0 }), use({ calls: 33 }), undefined));
    expect(top).toBe(40);
    expect(bars.map(({ height }) => height)).toEqual([0, 82.5, 0]);
  });

  it("shows a limit that is within reach, with its bands", () => {
    const { top, bars } = drawChart(minutes(use({ calls: 90, limitPerMinute: 200 })));
    expect(top).toBe(200);
    expect(bars[0]?.limit).toEqual({ at: 100, near: 70, over: 90 });
  });

  it("does not shrink its bars for a limit that is far away", () => {
    const { top, bars } = drawChart(minutes(use({ calls: 9, limitPerMinute: 30_000 })));
    expect(top).toBe(10);
    expect(bars[0]?.limit).toBeUndefined();
  });

  it("shows even a single call, and is never flat", () => {
    const { bars, top } = drawChart(minutes(use({ calls: 1 }), use({ calls: 1_000 })));
    expect(top).toBe(1_000);
    expect(bars[0]?.height).toBe(2);
    expect(drawChart(minutes(undefined)).top).toBe(2);
  });
});

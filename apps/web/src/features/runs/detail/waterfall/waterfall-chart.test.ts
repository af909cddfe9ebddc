import { describe, expect, it } from "vitest";
import { timeScale } from "./time-scale.ts";
import { axisTicks, tickText } from "./waterfall-chart.tsx";

function ticks(from: number, to: number, busy = [{ from, to }]) {
  const whole = { from, to };
  return axisTicks({ whole, scale: timeScale(whole, busy) }).map(({ at }) => at);
}

describe("the times along the drawing", () => {
  it.each([
    [0, 1_000, [0, 200, 400, 600, 800]],
    [-600, 4_200, [0, 1_000, 2_000, 3_000]],
    [0, 3, [0, 1, 2]],
    [-30, -10, [-30, -25, -20, -15]],
  ])("of a run from %i to %i ms are round", (from, to, expected) => {
    expect(ticks(from, to)).toEqual(expected);
  });

  it("leave out folded stretches, and never overlap", () => {
    const busy = [
      { from: 0, to: 1_000 },
      { from: 9_000, to: 10_000 },
    ];
    const whole = { from: 0, to: 10_000 };
    const found = axisTicks({ whole, scale: timeScale(whole, busy) });
    expect(found.every(({ at }) => at <= 1_000 || at >= 9_000)).toBe(true);
    const gaps = found.slice(1).map(({ place }, index) => place - (found[index]?.place ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0.1);
  });
});

it.each([
  [0, "0"],
  [200, "+200 ms"],
  [-1_500, "−1.5 s"],
])("the time %i reads %s", (at, text) => {
  expect(tickText(at)).toBe(text);
});

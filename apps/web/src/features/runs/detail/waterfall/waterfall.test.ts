import type { Step } from "@cloudwright/core/model/run";
import { describe, expect, it } from "vitest";
import { timeScale } from "./time-scale.ts";
import { criticalPath, waterfall } from "./waterfall.ts";

function call(phase: Step["phase"], offsetMs: number, durationMs: number): Step {
  return {
    phase,
    system: phase === "observe" ? "cloud" : "kube",
    operation: `${phase} at ${offsetMs}`,
    target: "w-1",
    offsetMs,
    durationMs,
    limiterWaitMs: 0,
    attempt: 1,
    sharedBy: 1,
  };
}

describe("the waterfall of a run", () => {
  const run = {
    queuedMs: 20,
    durationMs: 100,
    planMs: 2,
    changes: [],
    steps: [
      call("observe", -5, 25),
      call("apply", 30, 40),
      { ...call("apply", 70, 30), error: "boom" },
    ],
  };

  it("lists queue, observe, plan and apply with their calls in order", () => {
    expect(waterfall(run).bars.map(({ id, level }) => `${level} ${id}`)).toEqual([
      "0 queue",
      "0 observe",
      "1 call-1",
      "0 plan",
      "0 apply",
      "1 call-2",
      "1 call-3",
    ]);
  });

  it("begins with the earliest and ends with the latest", () => {
    expect(waterfall(run).whole).toEqual({ from: -20, to: 100 });
  });

  it("a shared lookup that began before the run widens the observe phase", () => {
    expect(waterfall(run).bars[1]).toMatchObject({ from: -5, to: 20 });
  });

  it("marks failed calls", () => {
    expect(
      waterfall(run)
        .bars.filter(({ failed }) => failed)
        .map(({ id }) => id),
    ).toEqual(["call-3"]);
  });

  it("has no apply phase if nothing was written", () => {
    const quiet = waterfall({ ...run, steps: [call("observe", 0, 5)] });
    expect(quiet.bars.some(({ kind }) => kind === "apply")).toBe(false);
  });
});

describe("the critical path", () => {
  it("leaves out calls that another one outlasted", () => {
    const long = call("observe", 0, 50);
    const short = call("observe", 0, 10);
    const write = call("apply", 60, 5);
    expect([...criticalPath([long, short, write])]).toEqual([write, long]);
  });
});

describe("the time scale", () => {
  it("is linear if there is no long idle stretch", () => {
    const scale = timeScale({ from: 0, to: 100 }, [{ from: 0, to: 90 }]);
    expect(scale.folded).toEqual([]);
    expect(scale.position(50)).toBeCloseTo(0.5);
  });

  it("folds a long idle stretch and keeps the order of instants", () => {
    const scale = timeScale({ from: -10_000, to: 100 }, [{ from: 0, to: 100 }]);
    expect(scale.folded).toEqual([{ from: -10_000, to: 0 }]);
    expect(scale.position(0)).toBeLessThan(0.2);
    expect(scale.position(-5_000)).toBeLessThan(scale.position(0));
    expect(scale.position(-10_000)).toBe(0);
    expect(scale.position(100)).toBe(1);
  });
});

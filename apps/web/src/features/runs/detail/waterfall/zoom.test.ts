import { describe, expect, it } from "vitest";
import { timeScale } from "./time-scale.ts";
import { waterfall } from "./waterfall.ts";
import { brushed, shifted, zoomed, zoomedIn, zoomedOut } from "./zoom.ts";

const WHOLE = { from: -20, to: 1_000 };
const MODEL = waterfall({
  ...{ queuedMs: 20, durationMs: 1_000, planMs: 2, changes: [] },
  steps: [0, 400, 900].map((offsetMs) => ({
    ...{ phase: "observe" as const, system: "cloud" as const, operation: "GET", target: "w-9" },
    ...{ offsetMs, durationMs: 100, limiterWaitMs: 0, attempt: 1, sharedBy: 1 },
  })),
});

describe("a part of a run", () => {
  it("has the bars that reach into it, at full width", () => {
    const part = zoomed(MODEL, { from: 380, to: 520 });
    expect(part.bars.map(({ id }) => id)).toEqual(["observe", "call-2"]);
    expect(part.scale.position(380)).toBe(0);
    expect(part.scale.position(520)).toBe(1);
  });

  it("is all of it if none is chosen", () => {
    expect(zoomed(MODEL, undefined)).toBe(MODEL);
  });

  it("shrinks around its middle, or around the open bar in it", () => {
    expect(zoomedIn({ from: 0, to: 400 }, undefined)).toEqual({ from: 100, to: 300 });
    expect(zoomedIn({ from: 0, to: 400 }, { from: 350, to: 370 })).toEqual({ from: 200, to: 400 });
    expect(zoomedIn({ from: 0, to: 400 }, { from: 900, to: 950 })).toEqual({ from: 100, to: 300 });
  });

  it("does not shrink below what can be distinguished", () => {
    expect(zoomedIn({ from: 10, to: 14 }, undefined)).toEqual({ from: 10, to: 14 });
  });

  it("grows until it is the whole run", () => {
    expect(zoomedOut({ from: 100, to: 300 }, WHOLE)).toEqual({ from: 0, to: 400 });
    expect(zoomedOut({ from: 0, to: 900 }, WHOLE)).toBeUndefined();
  });

  it("is the whole of a short run again after halving and doubling", () => {
    const whole = { from: -0.2, to: 16.7 };
    const half = zoomedIn(whole, undefined);
    expect(half).toEqual({ from: 4, to: 12 });
    expect(zoomedOut(half, whole)).toBeUndefined();
  });

  it("moves back and forth within the run", () => {
    expect(shifted({ from: 100, to: 300 }, WHOLE, 1)).toEqual({ from: 200, to: 400 });
    expect(shifted({ from: 0, to: 200 }, WHOLE, -1)).toEqual({ from: -20, to: 180 });
    expect(shifted({ from: 900, to: 1_000 }, WHOLE, 1)).toEqual({ from: 900, to: 1_000 });
  });
});

describe("a brush over the drawing", () => {
  const scale = timeScale({ from: 0, to: 1_000 }, [{ from: 0, to: 1_000 }]);
  const drawing = { scale, whole: { from: 0, to: 1_000 } };

  it("selects what lies under it, in whichever direction it is drawn", () => {
    expect(brushed(drawing, [0.2, 0.6])).toEqual({ from: 200, to: 600 });
    expect(brushed(drawing, [0.6, 0.2])).toEqual({ from: 200, to: 600 });
  });

  it("selects nothing by a mere press, and everything by a full sweep", () => {
    expect(brushed(drawing, [0.5, 0.501])).toBeUndefined();
    expect(brushed(drawing, [0, 1])).toBeUndefined();
  });

  it("finds instants beside a folded stretch", () => {
    const folded = timeScale({ from: 0, to: 10_000 }, [{ from: 9_000, to: 10_000 }]);
    const part = brushed({ scale: folded, whole: { from: 0, to: 10_000 } }, [0.5, 1]);
    expect(part?.to).toBe(10_000);
    expect(folded.position(part?.from ?? 0)).toBeCloseTo(0.5, 1);
  });
});

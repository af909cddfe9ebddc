import { describe, expect, it } from "vitest";
import { runStep } from "../../../testing/run-detail.ts";
import { waterfall } from "./waterfall/waterfall.ts";

const write = (offsetMs: number, attempt: number, over: Parameters<typeof runStep>[0] = {}) =>
  runStep({
    ...{ phase: "apply", operation: "POST members", target: "lb-1", offsetMs, attempt },
    ...{ durationMs: 100, status: 200 },
    ...over,
  });
const refused = (offsetMs: number, attempt: number) =>
  write(offsetMs, attempt, { status: 429, error: "too many requests" });

const bars = (...steps: readonly ReturnType<typeof write>[]) =>
  waterfall({ queuedMs: 0, durationMs: 3_000, planMs: 1, changes: [], steps }).bars.filter(
    ({ level }) => level > 0,
  );
const shownTexts = (shown: ReturnType<typeof bars>) =>
  shown.map(({ id, level, label, from, to, failed }) => [
    ...[id, level, label, `${from}–${to}`, failed],
  ]);

describe("a write that was sent several times", () => {
  it("has one bracket over its attempts, and has failed only if the last one has", () => {
    const shown = bars(refused(0, 1), refused(600, 2), write(1_700, 3));
    expect(shownTexts(shown)).toEqual([
      ["call-1-tries", 1, "POST members", "0–1800", false],
      ["call-1", 2, "POST members, attempt 1", "0–100", true],
      ["call-2", 2, "POST members, attempt 2", "600–700", true],
      ["call-3", 2, "POST members, attempt 3", "1700–1800", false],
    ]);
    expect(shown[0]?.tries).toEqual({ count: 3, waitedMs: 1_500 });
    expect(bars(refused(0, 1), refused(600, 2))[0]?.failed).toBe(true);
  });

  it("keeps its attempts together although other calls were made in between", () => {
    const other = write(200, 1, { target: "lb-2" });
    expect(bars(refused(0, 1), other, write(600, 2)).map(({ id }) => id)).toEqual([
      ...["call-1-tries", "call-1", "call-3", "call-2"],
    ]);
  });

  it.each([
    ["of another target", [refused(0, 1), write(600, 2, { target: "lb-2" })]],
    ["after one that was answered", [write(0, 1), write(600, 2)]],
    ["at the same time", [refused(0, 1), write(50, 2)]],
    ["of the other system", [refused(0, 1), write(600, 2, { system: "kube" })]],
  ])("%s is another call", (_, steps) => {
    expect(bars(...steps).map(({ id }) => id)).toEqual(["call-1", "call-2"]);
  });

  it("folds a long wait between its attempts", () => {
    const { scale } = waterfall({
      ...{ queuedMs: 0, durationMs: 10_100, planMs: 0, changes: [] },
      steps: [refused(0, 1), write(10_000, 2)],
    });
    expect(scale.folded).toEqual([{ from: 100, to: 10_000 }]);
  });
});

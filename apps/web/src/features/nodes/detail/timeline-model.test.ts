import type { TimelineStep } from "@cloudwright/core/model/records/node-record";
import { describe, expect, it } from "vitest";
import { timelineModel } from "./timeline-model.ts";

function step(name: TimelineStep["step"], rest: Partial<TimelineStep>): TimelineStep {
  return { step: name, state: "done", tries: 1, ...rest };
}

describe("the timeline of a node's initialisation", () => {
  it("shows the actual order, not a fixed one, and pending steps last", () => {
    const model = timelineModel(
      [
        step("registered", { startedAt: 0, endedAt: 0 }),
        step("found", { startedAt: 900, endedAt: 1_000 }),
        step("addresses", { startedAt: 400, endedAt: 600 }),
        step("initialised", { state: "pending", tries: 0 }),
        step("checked", { startedAt: 1_000, endedAt: 1_000 }),
      ],
      5_000,
    );
    expect(model.rows.map(({ step: { step: name } }) => name)).toEqual([
      "registered",
      "addresses",
      "found",
      "checked",
      "initialised",
    ]);
    expect(model.done).toBe(false);
    expect(model.totalMs).toBe(5_000);
  });

  it("a failing step lasts until now", () => {
    const model = timelineModel(
      [
        step("registered", { startedAt: 0, endedAt: 0 }),
        step("found", { state: "failed", startedAt: 1_000, endedAt: 4_000, tries: 9 }),
      ],
      11_000,
    );
    expect(model.rows[1]?.durationMs).toBe(10_000);
    expect(model.rows[1]?.bar).toEqual({ start: 1_000 / 11_000, width: 10_000 / 11_000 });
  });

  it("ends with its last step when all are done", () => {
    const model = timelineModel(
      [
        step("registered", { startedAt: 0, endedAt: 0 }),
        step("initialised", { startedAt: 700, endedAt: 800 }),
      ],
      99_000,
    );
    expect(model).toMatchObject({ done: true, totalMs: 800, startedAt: 0 });
  });

  it("says which earlier step happened in the same run", () => {
    const model = timelineModel(
      [
        step("addresses", { startedAt: 5, endedAt: 9, runId: "r-1" }),
        step("initialised", { startedAt: 5, endedAt: 9, runId: "r-1" }),
        step("checked", { startedAt: 5, endedAt: 9, runId: "r-2" }),
      ],
      9,
    );
    expect(model.rows.map(({ together }) => together)).toEqual([undefined, "Addresses", undefined]);
  });

  it("of a node without steps is empty", () => {
    expect(timelineModel([], 9)).toEqual({
      rows: [],
      startedAt: undefined,
      totalMs: 0,
      done: false,
    });
  });
});

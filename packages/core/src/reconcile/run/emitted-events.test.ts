import { describe, expect, it } from "vitest";
import type { Next } from "../../model/plan.ts";
import type { Effect } from "../effects.ts";
import { LoopFixture } from "../testing/loop-fixture.ts";
import { RunEffects } from "./emitted-events.ts";

const EVENT: Effect = {
  kind: "event",
  target: {
    ...{ apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "shop", name: "data" },
    uid: "u-1",
  },
  event: { type: "Normal", reason: "VolumeResizeSuccessful", message: "It has grown." },
};
const METRIC: Effect = { kind: "metric", name: "grown_total", value: 1 };

describe("the effects of a run", () => {
  it("are emitted, and its Events are kept with their object and time", () => {
    const emitted: Effect[] = [];
    const effects = { emit: (effect: Effect) => void emitted.push(effect) };
    const run = new RunEffects({ effects }, { durationMs: 120 });
    run.emit([METRIC, EVENT]);
    expect(emitted).toEqual([METRIC, EVENT]);
    expect(run.events).toEqual([
      {
        ...{ type: "Normal", reason: "VolumeResizeSuccessful", message: "It has grown." },
        target: { kind: "PersistentVolumeClaim", namespace: "shop", name: "data", uid: "u-1" },
        offsetMs: 120,
      },
    ]);
  });

  it("of a dry run are neither emitted nor kept", () => {
    const emitted: Effect[] = [];
    const effects = { emit: (effect: Effect) => void emitted.push(effect) };
    const run = new RunEffects({ effects, dryRun: true }, { durationMs: 120 });
    run.emit([METRIC, EVENT]);
    expect(emitted).toEqual([]);
    expect(run.events).toEqual([]);
  });
});

describe("the record of a run", () => {
  const failed: Next = {
    kind: "failed",
    reason: { code: "ProviderIDMissing", provider: "sandbox" },
  };

  it("has the Events that it emitted, if any", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [], failed);
    all.thing("w-2");
    await all.touch("w-1");
    await all.touch("w-2");
    const [first, second] = all.of("run.end");
    expect(first?.events).toMatchObject([
      { type: "Warning", reason: "ProviderIDMissing", target: { kind: "Node", name: "w-1" } },
    ]);
    expect(second?.events).toEqual([]);
  });

  it("is written even for an Event alone, so that its reader finds the run", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [], { kind: "blocked", reason: failed.reason });
    await all.touch("w-1");
    await all.clock.advance(300_000);
    await all.touch("w-1");
    await all.touch("w-1");
    expect(all.effects).toHaveLength(2);
    expect(all.of("run.end").map(({ events }) => events?.length)).toEqual([1, 1]);
  });
});

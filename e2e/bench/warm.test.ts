import { describe, expect, it } from "vitest";
import { type WarmRun, warmNumbers, waveNumbers } from "./warm.ts";

describe("a second wave", () => {
  it("lasts from its first creation to its last node, and each node waits from its own appearance", () => {
    const seen = new Map([
      ["a", 1_100],
      ["b", 1_200],
      ["c", 1_300],
    ]);
    const done = new Map([
      ["b", 1_450],
      ["a", 2_100],
      ["c", 3_520],
    ]);
    expect(waveNumbers({ began: 1_000, created: 1_400, seen, done })).toEqual({
      createSeconds: 0.4,
      seconds: 2.52,
      nodeWaitP50: 1,
      nodeWaitP99: 2.22,
    });
  });

  const runOf = (cold: number, seconds: number): WarmRun => ({
    report: {
      median: { seconds: cold, "steady.cloudCalls": 6, "steady.nodeWritesPerItem": 3 },
      spread: {},
      runs: [],
      raw: undefined,
    },
    wave: { seconds, cpuSeconds: 0.5 },
    counts: undefined,
  });

  it("is listed beside the first one of its run, without the nodes that we created ourselves", () => {
    expect(warmNumbers([runOf(2, 1)]).numbers).toMatchObject({
      "cold.seconds": 2,
      seconds: 1,
      cpuSeconds: 0.5,
      cloudCalls: 6,
      nodeWritesPerItem: 2,
    });
    expect(warmNumbers([runOf(2, 1)]).spread).toEqual({});
  });

  it("has the median and the range of several runs", () => {
    const { numbers, spread } = warmNumbers([runOf(2, 1.4), runOf(3, 0.9), runOf(9, 1.1)]);
    expect(numbers).toMatchObject({ "cold.seconds": 3, seconds: 1.1 });
    expect(spread).toMatchObject({ "cold.seconds": "2..9", seconds: "0.9..1.4" });
  });
});

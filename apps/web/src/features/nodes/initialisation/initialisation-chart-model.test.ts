import type { InitialisationPart } from "@cloudwright/store/views/initialisation";
import { expect, it } from "vitest";
import { drawInitialisation, summaryOf } from "./initialisation-chart-model.ts";

const part = (p50Ms: number, p95Ms: number, name = "w-1"): InitialisationPart => ({
  ...{ nodes: 3, p50Ms, p95Ms },
  slowestStep: { step: "found", p50Ms: p50Ms / 2 },
  slowest: { name, ms: p95Ms },
});

it("parts divide the time, each as high as its durations", () => {
  const drawn = drawInitialisation({
    ...{ from: 1_000, to: 4_000 },
    parts: [part(1_000, 4_000), undefined, part(2_000, 3_000)],
  });
  expect(drawn.topMs).toBe(4_000);
  expect(drawn.parts.map(({ from, to, heights }) => [from, to, heights])).toEqual([
    [1_000, 2_000, { p50: 0.25, p95: 1, step: 0.125 }],
    [2_000, 3_000, { p50: 0, p95: 0, step: 0 }],
    [3_000, 4_000, { p50: 0.5, p95: 0.75, step: 0.25 }],
  ]);
});

it.each([
  [0, 10],
  [999, 1_000],
  [4_001, 10_000],
  [31_000, 60_000],
  [14 * 60_000, 20 * 60_000],
  [30 * 3_600_000, 48 * 3_600_000],
])("with a maximum of %i ms the chart ends at %i ms", (ms, top) => {
  expect(drawInitialisation({ from: 0, to: 1, parts: [part(0, ms)] }).topMs).toBe(top);
});

it("the summary counts the nodes, and names the one that took longest", () => {
  const parts = [part(1, 5, "w-1"), undefined, part(1, 9, "w-2")];
  expect(summaryOf({ parts })).toEqual({ nodes: 6, slowest: { name: "w-2", ms: 9 } });
  expect(summaryOf({ parts: [] })).toEqual({ nodes: 0, slowest: undefined });
});

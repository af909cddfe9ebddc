import { describe, expect, it } from "vitest";
import { baselineArguments, cellName, cellsOf } from "./cells.ts";

describe("the cells of a batch", () => {
  it("measures upstream and us one after the other for each size and set of flags", () => {
    const cells = cellsOf({
      scenarios: ["wave"],
      nodes: [500, 2_000],
      flags: ["tuned"],
      who: ["upstream", "headless"],
    });
    expect(cells.map(cellName)).toEqual([
      "wave-500-tuned-upstream",
      "wave-500-tuned-headless",
      "wave-2000-tuned-upstream",
      "wave-2000-tuned-headless",
    ]);
  });

  it("measures the idle cluster at the largest size, and a lone node only for us", () => {
    const cells = cellsOf({
      scenarios: ["lone", "idle", "term"],
      nodes: [500, 2_000],
      flags: ["default", "tuned"],
      who: ["upstream", "ledger"],
    });
    expect(cells.map(cellName)).toEqual([
      "lone-1-default-ledger",
      "idle-2000-tuned-upstream",
      "idle-2000-tuned-ledger",
      "term-50-default-upstream",
      "term-50-default-ledger",
    ]);
  });

  it("measures second waves only with tuned flags, so that no rate limit slows them", () => {
    const cells = cellsOf({
      scenarios: ["warm"],
      nodes: [500, 2_000],
      flags: ["default", "throttled"],
      who: ["upstream", "ledger"],
    });
    expect(cells.map(cellName)).toEqual([
      "warm-500-tuned-upstream",
      "warm-500-tuned-ledger",
      "warm-2000-tuned-upstream",
      "warm-2000-tuned-ledger",
    ]);
  });

  it("measures routes at the smallest size, with each set of flags except the throttled one", () => {
    const cells = cellsOf({
      scenarios: ["routes"],
      nodes: [2_000, 500],
      flags: ["default", "tuned", "throttled"],
      who: ["upstream", "headless"],
    });
    expect(cells.map(cellName)).toEqual([
      "routes-500-default-upstream",
      "routes-500-default-headless",
      "routes-500-tuned-upstream",
      "routes-500-tuned-headless",
    ]);
  });

  it.each([
    ["routes", "default", "--nodes 500 --profile default --scenario routes"],
    ["wave", "default", "--nodes 500 --profile default"],
    ["wave", "throttled", "--nodes 500 --profile tuned --rate 20"],
    ["warm", "tuned", "--nodes 500 --profile tuned"],
    ["idle", "tuned", "--nodes 500 --profile tuned --steady 330s"],
    [
      "term",
      "default",
      "--nodes 500 --profile default --scenario failover --replicas 2 --signal TERM",
    ],
  ] as const)("asks the baseline's program for %s %s", (scenario, flags, expected) => {
    const cell = { scenario, flags, nodes: 500, who: "headless" } as const;
    expect(baselineArguments(cell).join(" ")).toBe(expected);
  });
});

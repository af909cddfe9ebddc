import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "../harness/processes.ts";
import { Batch, type Measured, readBatch } from "./batch.ts";
import { batchTable } from "./table.ts";

const UPSTREAM: Measured = {
  cell: { scenario: "wave", flags: "tuned", nodes: 2_000, who: "upstream" },
  runs: 3,
  numbers: { seconds: 20, createSeconds: 10, rssPeakMiB: 100 },
  spread: { seconds: "18..22" },
};
const OURS: Measured = {
  cell: { scenario: "wave", flags: "tuned", nodes: 2_000, who: "headless" },
  runs: 3,
  numbers: {
    seconds: 15,
    createSeconds: 10,
    rssPeakMiB: 200,
    listings: 2,
    nodeWritesPerItem: 2,
    nodesWithEvent: 2_000,
  },
  spread: { seconds: "14..16" },
};

describe("a batch", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "cloudwright-batch-"));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const open = (resume: boolean) => new Batch({ dir, name: "nodes", about: "a machine", resume });

  it("shows our results beside upstream's, each with its range, and judges ours", () => {
    const batch = open(false);
    batch.keep(UPSTREAM);
    batch.keep(OURS);
    const [, , , , theirs, ours] = batchTable(batch).split("\n");
    expect(theirs).toContain("| 2,000 | tuned | upstream, median of 3 | 20 [18..22] (10) |  |");
    expect(ours).toContain("| Cloudwright, headless, median of 3 | 15 [14..16] (10) | 0.75 |");
    expect(ours).toMatch(/\| met \|$/);
  });

  it("shows a second wave beside the first one of its run, each with its ratio", () => {
    const batch = open(false);
    const warm = (who: "upstream" | "headless", numbers: Record<string, number>) =>
      batch.keep({
        cell: { scenario: "warm", flags: "tuned", nodes: 500, who },
        runs: 1,
        numbers,
        spread: {},
      });
    warm("upstream", { "cold.seconds": 2, seconds: 1, cpuSeconds: 0.4 });
    warm("headless", { "cold.seconds": 3, seconds: 0.5, cpuSeconds: 0.6 });
    const [, , , , , ours] = batchTable(batch).split("\n");
    expect(ours).toContain(
      "| Cloudwright, headless | 3 (–) | 1.50 | – | 0.5 (–) | 0.50 | 0.6 | 1.50 |",
    );
  });

  it("does not judge cells in which work was counted", () => {
    const batch = open(false);
    batch.keep({ ...OURS, counted: true });
    expect(batchTable(batch)).toContain("not judged: it counted what it did");
  });

  it("continues where an interrupted one ended", () => {
    open(false).keep(UPSTREAM);
    expect(open(true).find(UPSTREAM.cell)).toEqual(UPSTREAM);
    expect(open(true).find(OURS.cell)).toBeUndefined();
    expect(open(false).cells).toEqual([]);
  });

  it("can use upstream's published figures, and names their source", () => {
    const { cells } = readBatch(join(PROJECT_ROOT, "e2e/bench/upstream-published.json"));
    expect(cells.every(({ cell }) => cell.who === "upstream")).toBe(true);
    const batch = open(false);
    for (const cell of cells) batch.keep(cell);
    expect(batchTable(batch)).toContain("upstream, from the baseline's own table");
  });
});

import { expect, it } from "vitest";
import { runEnd } from "../../testing/records.ts";
import { sortRecords } from "./batch.ts";

const end = runEnd();
const start = { ...end, type: "run.start" };

it("keeps a run that began and ended in one batch as it ended, in whatever order they stand", () => {
  for (const values of [
    [start, end],
    [end, start],
  ]) {
    const { runs, refused } = sortRecords(values);
    expect(runs).toEqual([expect.objectContaining({ id: end.id, outcome: end.outcome })]);
    expect(refused).toEqual([]);
  }
});

it("keeps the start of a run whose end is no record of ours, and says what is wrong with that", () => {
  const { runs, refused } = sortRecords([start, { ...end, outcome: "no outcome" }]);
  expect(runs).toEqual([expect.objectContaining({ id: end.id, outcome: "running" })]);
  expect(refused).toHaveLength(1);
});

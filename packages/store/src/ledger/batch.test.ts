import { expect, it } from "vitest";
import { runEnd } from "../../testing/records.ts";
import { sortRecords } from "./batch.ts";

const end = runEnd();
const start = { ...end, type: "run.start" };

it("keeps the end of a run that began and ended in one batch, in either order", () => {
  for (const values of [
    [start, end],
    [end, start],
  ]) {
    const { runs, refused } = sortRecords(values);
    expect(runs).toEqual([expect.objectContaining({ id: end.id, outcome: end.outcome })]);
    expect(refused).toEqual([]);
  }
});

it("keeps the start of a run whose end is not a valid record, and says what is wrong with it", () => {
  const { runs, refused } = sortRecords([start, { ...end, outcome: "no outcome" }]);
  expect(runs).toEqual([expect.objectContaining({ id: end.id, outcome: "running" })]);
  expect(refused).toHaveLength(1);
});

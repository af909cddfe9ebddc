import { expect, it } from "vitest";
import { dueInMs } from "./refresh-pace.ts";

it.each([
  [undefined, 0, 0],
  [{ rows: [] }, 0, 0],
  [{ pages: [1, 2] }, 0, 0],
  [{ pages: Array(25).fill(0) }, 9_999, 1],
  [{ pages: Array(25).fill(0) }, 10_000, 0],
  [{ pages: Array(25).fill(0) }, 60_000, 0],
])("data %j that is %d ms old is due in %d ms", (data, age, due) => {
  expect(dueInMs({ data, dataUpdatedAt: 1_000 }, 1_000 + age)).toBe(due);
});

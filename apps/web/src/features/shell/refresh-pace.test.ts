import { expect, it } from "vitest";
import { isDue } from "./refresh-pace.ts";

it.each([
  [undefined, 0, true],
  [{ rows: [] }, 0, true],
  [{ pages: [1, 2] }, 0, true],
  [{ pages: Array(25).fill(0) }, 9_999, false],
  [{ pages: Array(25).fill(0) }, 10_000, true],
])("data %j that is %d ms old is due: %s", (data, age, due) => {
  expect(isDue({ data, dataUpdatedAt: 1_000 }, 1_000 + age)).toBe(due);
});

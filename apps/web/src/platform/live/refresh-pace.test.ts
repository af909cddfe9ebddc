import { expect, it } from "vitest";
import { dueInMs } from "./refetcher.ts";

it.each([
  [undefined, 0, 0],
  [{ rows: [] }, 0, 0],
  [{ pages: [1, 2] }, 0, 0],
  [{ pages: Array(25).fill(0) }, 9_999, 1],
  [{ pages: Array(25).fill(0) }, 10_000, 0],
  [{ pages: Array(25).fill(0) }, 60_000, 0],
])("data %j that is %d ms old is due in %d ms", (data, age, due) => {
  const now = 1_000 + age;
  expect(dueInMs({ data, dataUpdatedAt: 1_000 }, { router: "runs", now })).toBe(due);
});

it("the overview is refetched every two seconds at most", () => {
  const requested = { data: {}, dataUpdatedAt: 1_000 };
  expect(dueInMs(requested, { router: "overview", now: 1_500 })).toBe(1_500);
  expect(dueInMs(requested, { router: "overview", now: 9_000 })).toBe(0);
});

it("a node's verdicts are refetched every five seconds at most, and the list at once", () => {
  const requested = { data: {}, dataUpdatedAt: 1_000 };
  expect(dueInMs(requested, { router: "balancers", query: "ofNode", now: 2_000 })).toBe(4_000);
  expect(dueInMs(requested, { router: "balancers", query: "list", now: 2_000 })).toBe(0);
});

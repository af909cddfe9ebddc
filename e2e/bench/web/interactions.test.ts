import { expect, it } from "vitest";
import { countedMs, interactionRows } from "./interactions.ts";

it("is the longest of a few, and the 98th percentile of many", () => {
  expect(countedMs([])).toBe(0);
  expect(countedMs([24, 160, 40])).toBe(160);
  const many = Array.from({ length: 98 }, () => 24);
  expect(countedMs([...many, 320, 160])).toBe(24);
  expect(countedMs([...many.slice(2), 320, 320, 160, 160])).toBe(160);
});

it("has a row for each action on a page, and one for the page", () => {
  const rows = interactionRows([
    { page: "Nodes", what: "sort", durationsMs: [32, 120] },
    { page: "Nodes", what: "open a menu", durationsMs: [] },
    { page: "Runs", what: "sort", durationsMs: [100] },
  ]);
  expect(rows).toEqual([
    ["Nodes", "sort", "2", "120", "**120 > 100**"],
    ["Nodes", "open a menu", "0", "< 16", "met"],
    ["Nodes", "**all of it**", "2", "120", "**120 > 100**"],
    ["Runs", "sort", "1", "100", "met"],
    ["Runs", "**all of it**", "1", "100", "met"],
  ]);
});

import { describe, expect, it } from "vitest";
import { forecast, tableView } from "../../testing/route-rows.ts";
import { growthText, isTight, roomText, sharesText, usedText } from "./table-messages.ts";

const TABLE = tableView("rtb-c");

describe("the room of a table", () => {
  it.each([
    [{ used: 50, capacity: 50 }, "50 of 50 routes"],
    [{ used: 1_000, capacity: 2_000 }, "1,000 of 2,000 routes"],
    [{ used: 1, capacity: undefined }, "1 route"],
  ])("of %j reads %s", (table, text) => {
    expect(usedText(table)).toBe(text);
  });

  it.each([
    [undefined, "the cloud reports no limit"],
    [forecast({ nodesFit: 0 }), "no more nodes fit"],
    [forecast({ nodesFit: 1 }), "1 more node fits"],
    [forecast({ nodesFit: 12, routesPerNode: 2 }), "12 more nodes fit with 2 routes each"],
  ])("of %j reads %s", (reported, text) => {
    expect(roomText({ forecast: reported })).toBe(text);
  });
});

it.each([
  [{ ours: 80, foreignCount: 3, missing: 0 }, "80 ours, 3 not ours."],
  [{ ours: 80, foreignCount: 0, missing: 0 }, "80 ours."],
  [{ ours: 80, foreignCount: 0, missing: 2 }, "80 ours, 2 more wanted."],
  [
    { ours: 6_668, foreignCount: 1_000, missing: 1_200 },
    "6,668 ours, 1,200 more wanted, 1,000 not ours.",
  ],
])("the owners of the routes of %j", (table, text) => {
  expect(sharesText(table)).toBe(text);
});

describe("how long it lasts", () => {
  const growing = (nodesPerDay: number, fullInDays: number, days = 7) =>
    forecast({ growth: { nodesPerDay, days }, fullInDays });
  it.each([
    [undefined, ""],
    [forecast(), ""],
    [forecast({ nodesFit: 0, growth: { nodesPerDay: 2, days: 7 }, fullInDays: 0 }), ""],
    [forecast({ growth: { nodesPerDay: -1, days: 1.2 } }), "It has not grown in the last day."],
    [
      growing(1.34, 7.5),
      "At the growth rate of the last 7 days, 1.3 nodes a day, it is full in about 7 days.",
    ],
    [
      growing(25.4, 0.4),
      "At the growth rate of the last 7 days, 25 nodes a day, it is full in about 1 day.",
    ],
    [
      growing(0.02, 500),
      "At the growth rate of the last 7 days, less than one node in ten days, it lasts for more than a year.",
    ],
  ])("of %j", (reported, text) => {
    expect(growthText({ forecast: reported })).toBe(text);
  });
});

describe("a table is tight", () => {
  it.each([
    [{}, false],
    [{ used: 45 }, true],
    [{ forecast: forecast({ fullInDays: 6 }) }, true],
    [{ capacity: undefined, used: 9_000 }, false],
  ])("with %j: %s", (over, expected) => {
    expect(isTight({ ...TABLE, ...over })).toBe(expected);
  });
});

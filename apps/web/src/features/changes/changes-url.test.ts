import { describe, expect, it } from "vitest";
import { changesFilter, changesUrl, isFiltered, timesOf, toggled } from "./changes-url.ts";

const parsed = (query: string) => changesUrl.parse(new URLSearchParams(query));
const BETWEEN = { from: Date.UTC(2026, 10, 27, 12), to: Date.UTC(2026, 10, 27, 13) };

describe("the address of the changes", () => {
  it.each([
    "",
    "?from=-24h",
    "?from=-15m&q=w-1&kind=Node,Service&change=worse,other&peek=Node%20w-1",
    "?from=2026-11-27T12%3A00%3A00.000Z&to=2026-11-27T13%3A00%3A00.000Z",
  ])("survives a round trip: %s", (query) => {
    const { view, dropped } = parsed(query);
    expect(dropped).toEqual([]);
    expect(changesUrl.format(view)).toBe(query);
  });

  it("drops what it does not know, with a note", () => {
    const { view, dropped } = parsed("?from=-2y&to=yesterday&change=much&colour=red");
    expect(view).toMatchObject({ preset: "-1h", between: undefined, directions: [] });
    expect(dropped).toEqual(["-2y", "much", "to", "colour"]);
  });
});

describe("the two times", () => {
  it("of a preset end with this minute and begin its length before", () => {
    const now = BETWEEN.to + 20_500;
    expect(timesOf(parsed("?from=-15m").view, now)).toEqual({
      from: BETWEEN.to - 15 * 60_000,
      to: BETWEEN.to + 60_000,
    });
  });

  it("are those of the address, if it has both", () => {
    const { view } = parsed("?from=2026-11-27T12:00:00Z&to=2026-11-27T13:00:00Z");
    expect(timesOf(view, 0)).toEqual(BETWEEN);
  });
});

it("leave out empty parameters for the server", () => {
  const { view } = parsed("?q=+&kind=Node");
  expect(changesFilter(view, BETWEEN)).toEqual({
    ...BETWEEN,
    ...{ text: undefined, kinds: ["Node"], directions: undefined },
  });
  expect(isFiltered(view)).toBe(true);
  expect(isFiltered(parsed("?from=-24h&q=+").view)).toBe(false);
  expect(toggled(["a", "b"], "a")).toEqual(["b"]);
  expect(toggled(["a"], "b")).toEqual(["a", "b"]);
});

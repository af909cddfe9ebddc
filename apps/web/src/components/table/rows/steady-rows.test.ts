import { describe, expect, it } from "vitest";
import { type HeldOrder, steadyRows } from "./use-steady-rows.ts";

interface Row {
  readonly id: string;
  readonly state: string;
}

const rows = (...ids: readonly string[]): readonly Row[] => ids.map((id) => ({ id, state: "ok" }));
const HELD: HeldOrder = { keys: ["a", "b", "c"], pages: 1 };

function shown(...pages: readonly (readonly Row[])[]) {
  const steady = steadyRows(HELD, pages, ({ id }) => id);
  return { ids: steady.rows.map(({ id }) => id).join(""), fresh: steady.fresh };
}

describe("rows that a user is reading", () => {
  it("keep their place and show their current values", () => {
    const pages = [[...rows("b", "c"), { id: "a", state: "stuck" }]];
    expect(steadyRows(HELD, pages, ({ id }) => id)).toEqual({
      rows: [{ id: "a", state: "stuck" }, ...rows("b", "c")],
      fresh: 0,
    });
  });

  it("are not pushed by new rows among them, which are counted", () => {
    expect(shown(rows("x", "a", "y", "b", "c"))).toEqual({ ids: "abc", fresh: 2 });
  });

  it("are followed by the rows of the next page", () => {
    expect(shown(rows("a", "b", "c"), rows("d", "e"))).toEqual({ ids: "abcde", fresh: 0 });
  });

  it("appear once although new rows push them onto the next page", () => {
    expect(shown(rows("x", "a", "b"), rows("c", "d"))).toEqual({ ids: "abcd", fresh: 1 });
  });

  it("disappear when they are deleted", () => {
    expect(shown(rows("a", "c"))).toEqual({ ids: "ac", fresh: 0 });
  });

  it("make way for new rows once all of them are gone", () => {
    expect(shown(rows("x", "y"))).toEqual({ ids: "xy", fresh: 0 });
  });
});

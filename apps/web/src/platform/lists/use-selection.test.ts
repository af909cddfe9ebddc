// @vitest-environment happy-dom
import { act, renderHook } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { nodeAction } from "../actions/action-choice.ts";
import { type SelectableRow, useSelection } from "./use-selection.ts";

const row = (name: string, over: Partial<SelectableRow> = {}): SelectableRow => ({
  ...{ name, uid: `u-${name}`, state: "ok" },
  ...over,
});
const ROWS = ["a", "b", "c"].map((name) => row(name));

const actionsOf = ({ name, uid }: SelectableRow) => [
  nodeAction({ cluster: "c-1", controller: "cloud-node-controller", name, uid }, "retry"),
];

function selection(most?: number) {
  const { result } = renderHook(() => useSelection(actionsOf, most));
  return {
    chosen: () => [...result.current.chosen.keys()],
    toggle: (one: SelectableRow) => act(() => result.current.toggle(one)),
    toggleAll: (rows: readonly SelectableRow[]) => act(() => result.current.toggleAll(rows)),
    clear: () => act(() => result.current.clear()),
  };
}

describe("a user's selection of rows", () => {
  it("keeps the order of selection, and each row is deselected by another press", () => {
    const { chosen, toggle } = selection();
    toggle(row("b"));
    toggle(row("a"));
    expect(chosen()).toEqual(["u-b", "u-a"]);
    toggle(row("b"));
    expect(chosen()).toEqual(["u-a"]);
  });

  it("never holds deleted rows, or rows that no action applies to", () => {
    const { chosen, toggle, toggleAll } = selection();
    toggle(row("a", { state: "gone" }));
    toggle(row("b", { isExcluded: true }));
    expect(chosen()).toEqual([]);
    toggleAll([row("a", { state: "gone" }), row("b", { isExcluded: true }), row("c")]);
    expect(chosen()).toEqual(["u-c"]);
  });

  it("takes all rows by one press, none by the next, and all if some were missing", () => {
    const { chosen, toggle, toggleAll } = selection();
    toggleAll(ROWS);
    expect(chosen()).toEqual(["u-a", "u-b", "u-c"]);
    toggleAll(ROWS);
    expect(chosen()).toEqual([]);
    toggle(row("b"));
    toggleAll(ROWS);
    expect(chosen()).toHaveLength(3);
  });

  it("takes only the first rows if there is a limit, and none by the next press", () => {
    const { chosen, toggleAll } = selection(2);
    toggleAll(ROWS);
    expect(chosen()).toEqual(["u-a", "u-b"]);
    toggleAll(ROWS);
    expect(chosen()).toEqual([]);
  });

  it("keeps rows of another filter when all rows of this one are deselected", () => {
    const { chosen, toggle, toggleAll } = selection();
    toggle(row("z"));
    toggleAll(ROWS);
    toggleAll(ROWS);
    expect(chosen()).toEqual(["u-z"]);
  });

  it("is empty once it is cleared", () => {
    const { chosen, toggleAll, clear } = selection();
    toggleAll(ROWS);
    clear();
    expect(chosen()).toEqual([]);
  });
});

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

describe("the rows that a user has marked", () => {
  it("are in the order in which they were chosen, and each is taken away by another press", () => {
    const { chosen, toggle } = selection();
    toggle(row("b"));
    toggle(row("a"));
    expect(chosen()).toEqual(["u-b", "u-a"]);
    toggle(row("b"));
    expect(chosen()).toEqual(["u-a"]);
  });

  it("never hold what is gone, or what nothing can be done with", () => {
    const { chosen, toggle, toggleAll } = selection();
    toggle(row("a", { state: "gone" }));
    toggle(row("b", { isExcluded: true }));
    expect(chosen()).toEqual([]);
    toggleAll([row("a", { state: "gone" }), row("b", { isExcluded: true }), row("c")]);
    expect(chosen()).toEqual(["u-c"]);
  });

  it("are all of them by one press, none by the next, and all where some were missing", () => {
    const { chosen, toggle, toggleAll } = selection();
    toggleAll(ROWS);
    expect(chosen()).toEqual(["u-a", "u-b", "u-c"]);
    toggleAll(ROWS);
    expect(chosen()).toEqual([]);
    toggle(row("b"));
    toggleAll(ROWS);
    expect(chosen()).toHaveLength(3);
  });

  it("are the first of them where not all may be, and none by the next press", () => {
    const { chosen, toggleAll } = selection(2);
    toggleAll(ROWS);
    expect(chosen()).toEqual(["u-a", "u-b"]);
    toggleAll(ROWS);
    expect(chosen()).toEqual([]);
  });

  it("that another filter shows stay marked when all of this one are taken away", () => {
    const { chosen, toggle, toggleAll } = selection();
    toggle(row("z"));
    toggleAll(ROWS);
    toggleAll(ROWS);
    expect(chosen()).toEqual(["u-z"]);
  });

  it("are none once they are cleared", () => {
    const { chosen, toggleAll, clear } = selection();
    toggleAll(ROWS);
    clear();
    expect(chosen()).toEqual([]);
  });
});

// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { useMemo } from "react";
import { beforeEach, describe, expect, it } from "vitest";
import { DataTable } from "../../components/table/data-table.tsx";
import { renderPage } from "../../testing/render-page.tsx";
import { ChosenRows, selectionColumn } from "./selection-bar.tsx";
import { type SelectableRow, useSelection } from "./use-selection.ts";

const ROWS: readonly SelectableRow[] = ["a", "b", "c"].map((name) => ({
  ...{ name, uid: `u-${name}`, state: "ok" },
}));
const noActions = () => [];
const uidOf = ({ uid }: SelectableRow) => uid;

/** The names of the rows whose cells were drawn, in that order. */
let drawn: string[];

const NAME = {
  ...{ id: "name", header: "Name", width: 100 },
  cell: ({ name }: SelectableRow) => {
    drawn.push(name);
    return name;
  },
};

function List() {
  const { chosen, toggle, toggleAll } = useSelection(noActions);
  const columns = useMemo(
    () => [selectionColumn({ toggle, toggleAll }, ROWS), NAME],
    [toggle, toggleAll],
  );
  return (
    <ChosenRows value={chosen}>
      <DataTable label="Nodes" columns={columns} rows={ROWS} total={3} rowKey={uidOf} />
    </ChosenRows>
  );
}

const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });

beforeEach(() => {
  drawn = [];
});

describe("the boxes of a list", () => {
  it("show which rows are selected, and whether all of them or some are", async () => {
    const { user } = renderPage(<List />);
    await user.click(box("Select b"));
    expect(box("Select b").checked).toBe(true);
    expect(box("Select a").checked).toBe(false);
    const all = box("Select all rows that are loaded");
    expect([all.checked, all.indeterminate]).toEqual([false, true]);
    await user.click(all);
    expect([all.checked, all.indeterminate]).toEqual([true, false]);
    expect(box("Select a").checked).toBe(true);
  });

  it("draw no cell of a row again when the selection changes", async () => {
    const { user } = renderPage(<List />);
    await expect.poll(() => new Set(drawn)).toEqual(new Set(["a", "b", "c"]));
    await user.hover(box("Select c"));
    const before = drawn.length;
    await user.click(box("Select b"));
    await user.click(box("Select all rows that are loaded"));
    expect(drawn.length).toBe(before);
  });
});

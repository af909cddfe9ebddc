// @vitest-environment happy-dom
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Column } from "../column.ts";
import { TableRow } from "./table-row.tsx";

interface Machine {
  readonly name: string;
  readonly zone: string;
}

const COLUMNS: readonly Column<Machine>[] = [
  { id: "state", header: "State", width: 80, cell: () => "OK" },
  {
    id: "name",
    header: "Name",
    width: 120,
    pinned: true,
    cell: ({ name }) => <a href={`/${name}`}>{name}</a>,
  },
  { id: "zone", header: "Zone", width: 80, cell: ({ zone }) => zone },
];

it("has its name at first and its other cells later, and the focused link stays the same element", () => {
  const { rerender } = render(table(false));
  const link = screen.getByRole("link", { name: "a" });
  link.focus();
  expect(screen.queryByText("zone-1")).toBeNull();
  rerender(table(true));
  expect(document.activeElement).toBe(link);
  expect(screen.getAllByRole("cell").map(({ textContent }) => textContent)).toEqual([
    "OK",
    "a",
    "zone-1",
  ]);
});

it("spans as many columns with its name alone as with all its cells", () => {
  render(table(false));
  const cells = screen.getAllByRole<HTMLTableCellElement>("cell");
  expect(cells.map(({ colSpan, textContent }) => [colSpan, textContent])).toEqual([
    [1, ""],
    [1, "a"],
    [1, ""],
  ]);
});

function table(isWhole: boolean) {
  return (
    <table>
      <tbody>
        <TableRow
          row={{ name: "a", zone: "zone-1" }}
          columns={COLUMNS}
          index={0}
          height={32}
          tone={undefined}
          head={undefined}
          peekId={undefined}
          isPeeked={false}
          changed={undefined}
          isWhole={isWhole}
        />
      </tbody>
    </table>
  );
}

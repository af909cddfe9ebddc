import type { RouteCell } from "@cloudwright/core/model/records/route-record";
import { describe, expect, it } from "vitest";
import { placedCells } from "../../platform/objects/route-cells.ts";
import { routeCell, routeRow } from "../../testing/route-rows.ts";
import { cellsOf, familiesOf, matrixRows } from "./routes-matrix.tsx";

const row = (name: string, table?: string, cells: readonly RouteCell[] = []) =>
  routeRow(name, { cells, table });

const cell = (cidr: string, family: RouteCell["family"]) => routeCell(cidr, { family });

describe("the matrix", () => {
  it("has each table's header before its first node", () => {
    const rows = matrixRows([row("w-1"), row("w-2", "a"), row("w-3", "a"), row("w-4", "b")]);
    expect(rows.map((each) => (each.kind === "table" ? `[${each.table}]` : each.row.name))).toEqual(
      [...["[undefined]", "w-1", "[a]", "w-2", "w-3", "[b]", "w-4"]],
    );
  });

  it("is empty without nodes", () => {
    expect(matrixRows([])).toEqual([]);
  });

  const single = row("w-1", "a", [cell("10.0.0.0/24", "IPv4")]);
  const dual = row("w-2", "a", [cell("10.0.1.0/24", "IPv4"), cell("fd00::/64", "IPv6")]);
  it.each([
    [[], [], ["IPv4"]],
    [[single], [], ["IPv4"]],
    [[single, dual], [], ["IPv4", "IPv6"]],
    [[single], ["IPv4", "IPv6"], ["IPv4", "IPv6"]],
    [[single, dual], ["IPv4"], ["IPv4", "IPv6"]],
    [[], ["IPv6"], ["IPv6"]],
  ] as const)("of %j in a cluster of %j has the columns %j", (rows, ofCluster, families) => {
    expect(familiesOf(rows, ofCluster)).toEqual(families);
  });

  it("has a pod range under its family", () => {
    expect(cellsOf(dual, "IPv6").map(({ cidr }) => cidr)).toEqual(["fd00::/64"]);
  });
});

it("keeps a cell's key when its verdict and route change, and gives a second cell of its range another", () => {
  const before = cell("10.0.0.0/24", "IPv4");
  const foreign = { ...before, verdict: "foreign" } as const;
  const route = { id: "r-1", table: "t", name: "n", destination: before.cidr };
  const keys = (cells: readonly RouteCell[]) => placedCells(cells).map(({ key }) => key);
  const [first, second] = keys([before, foreign]);
  expect(first).not.toBe(second);
  expect(keys([{ ...before, verdict: "blackhole", route }, foreign])).toEqual([first, second]);
});

import type { RouteMapNode } from "@cloudwright/store/views/route-map";
import { describe, expect, it } from "vitest";
import { tableView } from "../../../testing/route-rows.ts";
import { differencesOf, familiesOf, type MapFilter, mapBlocks } from "./map-blocks.ts";

type Cell = RouteMapNode["cells"][number];

const ALL: MapFilter = { text: "", drift: undefined, verdicts: [], table: undefined };
const TABLES = [tableView("rtb-b"), tableView("rtb-a")];

const node = (name: string, ...cells: readonly Cell[]): RouteMapNode => ({ name, cells });
const cell = (cidr: string, verdict: Cell["verdict"] = "keep", table?: string): Cell => ({
  ...{ cidr, verdict },
  ...(table === undefined ? {} : { table }),
});

const NODES = [
  node("w-1", cell("10.0.1.0/24", "keep", "rtb-a")),
  node("w-2", cell("10.0.2.0/24", "keep", "rtb-a"), cell("fd00:2::/64", "update", "rtb-a")),
  node("w-3", cell("10.0.3.0/24", "missing", "rtb-a")),
  node("w-4", cell("10.0.4.0/24", "missing")),
];

const shown = (filter: Partial<MapFilter> = {}, nodes: readonly RouteMapNode[] = NODES) =>
  mapBlocks(nodes, TABLES, { ...ALL, ...filter }).map(({ id, rows }) => [
    id,
    rows.map((row) => row.node).join(),
  ]);

describe("the blocks of the map", () => {
  it("are the routes without a table, then the tables in order, each with its worst node first", () => {
    expect(shown()).toEqual([
      [undefined, "w-4"],
      ["rtb-b", ""],
      ["rtb-a", "w-3,w-2,w-1"],
    ]);
  });

  it.each<[Partial<MapFilter>, string]>([
    [{ drift: "drifted" }, "w-3,w-2"],
    [{ drift: "inStep" }, "w-1"],
    [{ verdicts: ["update"] }, "w-2"],
    [{ verdicts: ["update", "missing"] }, "w-3,w-2"],
    [{ text: " W-1 " }, "w-1"],
    [{ text: "FD00" }, "w-2"],
    [{ text: "nothing" }, ""],
  ])("with %j keep %s", (filter, left) => {
    expect(shown(filter).at(-1)).toEqual(["rtb-a", left]);
  });

  it("are limited to a chosen table", () => {
    expect(shown({ table: "rtb-b" })).toEqual([["rtb-b", ""]]);
  });

  it("list a node in each table that has its routes, even if the table is not reported", () => {
    const dual = node(
      "w-9",
      cell("10.0.9.0/24", "keep", "rtb-a"),
      cell("fd00:9::/64", "keep", "x"),
    );
    const blocks = mapBlocks([dual], TABLES, ALL);
    expect(blocks.map(({ id, rows }) => [id, rows.length])).toEqual([
      ["rtb-b", 0],
      ["rtb-a", 1],
      ["x", 1],
    ]);
    expect(blocks[1]?.rows[0]).toMatchObject({ IPv4: [{ cidr: "10.0.9.0/24" }], IPv6: [] });
  });

  it("count all their cells, whatever the filter", () => {
    const block = mapBlocks(NODES, TABLES, { ...ALL, text: "w-1" }).at(-1);
    expect(block).toMatchObject({ nodes: 3, counts: { keep: 2, update: 1, missing: 1 } });
    expect(block === undefined ? [] : differencesOf(block)).toEqual([
      { verdict: "missing", count: 1 },
      { verdict: "update", count: 1 },
    ]);
  });

  it("list a node without a pod range under no table", () => {
    expect(shown({}, [node("w-1")])[0]).toEqual([undefined, "w-1"]);
  });
});

it.each([
  [[], ["IPv4"]],
  [[node("w-1", cell("fd00::/64"))], ["IPv6"]],
  [NODES, ["IPv4", "IPv6"]],
] as const)("the columns of %j are %j", (nodes, families) => {
  expect(familiesOf(nodes)).toEqual(families);
});

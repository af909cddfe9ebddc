import { describe, expect, it } from "vitest";
import type { Column } from "../column.ts";
import { changedValues, marksOf } from "./use-changed-values.ts";

interface Row {
  readonly name: string;
  readonly state: string;
  readonly zone?: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { id: "state", header: "State", width: 1, value: ({ state }) => state, cell: () => null },
  { id: "zone", header: "Zone", width: 1, value: ({ zone }) => zone, cell: () => null },
  { id: "name", header: "Name", width: 1, cell: () => null },
];

function changed(before: readonly Row[], after: readonly Row[]) {
  const changes = changedValues({ before, after, columns: COLUMNS, keyOf: ({ name }) => name });
  return Object.fromEntries(changes);
}

describe("the values that changed", () => {
  const first = { name: "w-1", state: "ok" };
  const second = { name: "w-2", state: "stuck", zone: "a" };
  it.each<[string, { readonly before: readonly Row[]; readonly after: readonly Row[] }, object]>([
    ["nothing", { before: [first], after: [first] }, {}],
    ["the same values again", { before: [first], after: [{ ...first }] }, {}],
    [
      "another value",
      { before: [first, second], after: [first, { ...second, state: "ok" }] },
      { "w-2": ["state"] },
    ],
    [
      "two at once",
      { before: [second], after: [{ name: "w-2", state: "ok" }] },
      { "w-2": ["state", "zone"] },
    ],
    ["another order", { before: [first, second], after: [second, first] }, {}],
    ["a row that is new", { before: [first], after: [first, second] }, {}],
    ["a row that is gone", { before: [first, second], after: [second] }, {}],
  ])("of %s", (_, { before, after }, marks) => {
    expect(changed(before, after)).toEqual(marks);
  });
});

it("a value that changes again while it is marked is marked once", () => {
  const batches = [
    new Map([["w-1", ["state"]]]),
    new Map([
      ["w-1", ["zone", "state"]],
      ["w-2", ["zone"]],
    ]),
  ];
  expect(marksOf(batches, "w-1")).toBe("state zone");
  expect(marksOf(batches, "w-2")).toBe("zone");
  expect(marksOf(batches, "w-3")).toBeUndefined();
});

import { describe, expect, test } from "vitest";
import {
  type CursorBinding,
  type CursorType,
  type CursorValue,
  decodeCursor,
  encodeCursor,
} from "./cursor.ts";

const binding: CursorBinding = {
  list: "nodes",
  cluster: "c1",
  filter: { states: ["stuck"], text: undefined },
  sort: { by: "name", descending: false },
};

describe("a cursor", () => {
  test("leads back to the place for which it was made", () => {
    const values = ["w-9 é", 17.5, 1_763_705_999_123];
    const types = ["text", "number", "timestamp"] as const;
    expect(decodeCursor(encodeCursor(binding, values), binding, types)).toEqual(values);
  });

  test("treats absent and undefined members of a filter alike", () => {
    const cursor = encodeCursor(binding, ["a"]);
    expect(decodeCursor(cursor, { ...binding, filter: { states: ["stuck"] } }, ["text"])).toEqual([
      "a",
    ]);
  });

  test.each<[string, Partial<CursorBinding>]>([
    ["list", { list: "runs" }],
    ["cluster", { cluster: "c2" }],
    ["filter", { filter: { states: ["ok"] } }],
    ["order", { sort: { by: "name", descending: true } }],
  ])("is refused for another %s", (_name, other) => {
    const cursor = encodeCursor(binding, ["a"]);
    expect(() => decodeCursor(cursor, { ...binding, ...other }, ["text"])).toThrow(
      expect.objectContaining({ code: "Invalid" }),
    );
  });

  test("is not called damaged for another order, whose places have other types", () => {
    const other = { ...binding, sort: { by: "since", descending: false } };
    expect(() => decodeCursor(encodeCursor(other, [7, "a"]), binding, ["text"])).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/belongs to another cluster/) }),
    );
  });

  test.each(["", "nonsense", "e30", encodeCursor(binding, ["a", "b"]), encodeCursor(binding, [])])(
    "is refused when it is damaged: %s",
    (cursor) => {
      expect(() => decodeCursor(cursor, binding, ["text"])).toThrow(
        expect.objectContaining({ code: "Invalid" }),
      );
    },
  );

  test.each<[CursorType, CursorValue]>([
    ["text", 1],
    ["text", "a\0b"],
    ["text", "\ud800"],
    ["number", "1"],
    ["timestamp", "now"],
    ["timestamp", 8_640_000_000_000_001],
    ["timestamp", -1e17],
    ["uuid", "1"],
    ["uuid", 7],
    ["bigint", "1.5"],
    ["bigint", "9".repeat(19)],
    ["bigint", 1e21],
  ])("is refused when a place of type %s holds %j", (type, value) => {
    expect(() => decodeCursor(encodeCursor(binding, [value]), binding, [type])).toThrow(
      expect.objectContaining({ code: "Invalid" }),
    );
  });
});

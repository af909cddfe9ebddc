import { describe, expect, test } from "vitest";
import { type CursorBinding, decodeCursor, encodeCursor } from "./cursor.ts";

const binding: CursorBinding = {
  list: "nodes",
  cluster: "c1",
  filter: { states: ["stuck"], text: undefined },
  sort: { by: "name", descending: false },
};

describe("a cursor", () => {
  test("leads back to the place that it was made for", () => {
    const values = ["w-9 é", 17.5, 1_763_705_999_123];
    expect(decodeCursor(encodeCursor(binding, values), binding, 3)).toEqual(values);
  });

  test("does not care whether a filter's member is absent or undefined", () => {
    const cursor = encodeCursor(binding, ["a"]);
    expect(decodeCursor(cursor, { ...binding, filter: { states: ["stuck"] } }, 1)).toEqual(["a"]);
  });

  test.each<[string, Partial<CursorBinding>]>([
    ["list", { list: "runs" }],
    ["cluster", { cluster: "c2" }],
    ["filter", { filter: { states: ["ok"] } }],
    ["order", { sort: { by: "name", descending: true } }],
  ])("is refused for another %s", (_name, other) => {
    const cursor = encodeCursor(binding, ["a"]);
    expect(() => decodeCursor(cursor, { ...binding, ...other }, 1)).toThrow(
      expect.objectContaining({ code: "Invalid" }),
    );
  });

  test.each(["", "nonsense", "e30", encodeCursor(binding, ["a", "b"]), encodeCursor(binding, [])])(
    "is refused when it is damaged: %s",
    (cursor) => {
      expect(() => decodeCursor(cursor, binding, 1)).toThrow(
        expect.objectContaining({ code: "Invalid" }),
      );
    },
  );
});

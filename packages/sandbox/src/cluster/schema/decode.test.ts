import { describe, expect, it } from "vitest";
import { unknownFields } from "../registry/decode-object.ts";
import { decode } from "./decode.ts";
import {
  always,
  boolean,
  bytes,
  integer,
  list,
  mapOf,
  microTime,
  nullable,
  quantity,
  struct,
  text,
  time,
} from "./schema.ts";

const inner = struct("Inner", { type: always(text), value: text });
const schema = struct("Thing", {
  first: text,
  count: nullable(integer),
  flag: boolean,
  at: time,
  exactly: microTime,
  beat: always(time),
  amount: quantity,
  blob: bytes,
  labels: mapOf(text),
  items: list(inner, { key: "type" }),
  nested: always(struct("Nested", { name: always(text) })),
});
const EMPTY = { beat: null, nested: { name: "" } };

describe("decoding by a schema", () => {
  it("fills in required fields and drops empty ones", () => {
    const empty = { first: "", flag: false, labels: {}, items: [], at: null };
    expect(decode(schema, empty)).toEqual(EMPTY);
  });

  it("keeps a zero that could also be absent", () => {
    expect(decode(schema, { count: 0 })).toEqual({ ...EMPTY, count: 0 });
  });

  it("orders members by the schema and map keys by name", () => {
    const decoded = decode(schema, { labels: { b: "2", a: "1" }, first: "x" });
    expect(JSON.stringify(decoded)).toBe(
      '{"first":"x","beat":null,"labels":{"a":"1","b":"2"},"nested":{"name":""}}',
    );
  });

  it("normalises times", () => {
    const times = { at: "2026-01-01T01:00:00.9+01:00", exactly: "2026-01-01T00:00:00.000400Z" };
    expect(decode(schema, times)).toMatchObject({
      at: "2026-01-01T00:00:00Z",
      exactly: "2026-01-01T00:00:00.000400Z",
    });
  });

  it.each([
    [{ first: 1 }, "cannot unmarshal number into Go struct field Thing.first of type string"],
    [{ count: "1" }, "cannot unmarshal string into Go struct field Thing.count of type int64"],
    [{ nested: [] }, "cannot unmarshal array into Go struct field"],
    [{ items: [{ value: true }] }, "cannot unmarshal bool into Go struct field Inner.items.value"],
    [{ at: "soon" }, 'parsing time "soon"'],
    [{ exactly: "2026-01-01T00:00:00Z" }, 'cannot parse "Z" as ".000000"'],
    [{ amount: "much" }, "quantities must match"],
    [{ blob: "a" }, "illegal base64 data at input byte 0"],
  ])("refuses %j", (input, sentence) => {
    expect(() => decode(schema, input)).toThrow(sentence);
  });

  it("names unknown fields, in the document's order", () => {
    const input = {
      items: [{ type: "a", odd: 1 }],
      zap: 1,
      nested: { x: 1 },
      labels: { any: "1" },
    };
    expect(unknownFields(schema, input)).toEqual(["items[0].odd", "zap", "nested.x"]);
  });
});

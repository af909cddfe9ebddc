import type { Json } from "@cloudwright/core/model/values/json";
import { badRequest } from "../http/api-error.ts";
import type { ScalarType, Schema, StructSchema } from "../schema/schema.ts";
import { type WireField, wireFields } from "./wire.ts";

/** Returns a protobuf message as equivalent JSON. Fields without a number in the schema are dropped. */
export function decodeMessage(schema: StructSchema, message: Uint8Array): Record<string, Json> {
  const result: Record<string, Json> = {};
  for (const field of wireFields(message)) {
    const name = schema.wireOrder[field.number - 1];
    const known = name === undefined ? undefined : schema.fields[name];
    if (name === undefined || known === undefined) continue;
    result[name] = withField(known.schema, result[name], field);
  }
  return result;
}

/** Adds a field; lists and maps arrive item by item. */
function withField(schema: Schema, before: Json | undefined, field: WireField): Json {
  switch (schema.kind) {
    case "list":
      return [...(Array.isArray(before) ? before : []), decodeItem(schema.item, field)];
    case "map":
      return { ...asObject(before), ...decodeEntry(schema.item, field) };
    default:
      return decodeItem(schema, field);
  }
}

function decodeItem(schema: Schema, field: WireField): Json {
  if (schema.kind === "struct") return decodeMessage(schema, bytesOf(field));
  if (schema.kind === "scalar") return SCALARS[schema.type](field);
  throw badRequest("the object provided is unrecognized: a list of lists has no protobuf form");
}

function decodeEntry(item: Schema, field: WireField): Record<string, Json> {
  let key = "";
  let value: Json = item.kind === "scalar" ? "" : {};
  for (const part of wireFields(bytesOf(field))) {
    if (part.number === 1) key = textOf(part);
    if (part.number === 2) value = decodeItem(item, part);
  }
  return { [key]: value };
}

const SCALARS: Readonly<Record<ScalarType, (field: WireField) => Json>> = {
  text: textOf,
  integer: (field) => Number(BigInt.asIntN(64, numberOf(field))),
  boolean: (field) => numberOf(field) !== 0n,
  time: (field) => timeOf(field, 0),
  microTime: (field) => timeOf(field, 6),
  quantity: (field) => innerText(field, 1),
  bytes: (field) => Buffer.from(bytesOf(field)).toString("base64"),
  intOrString: intOrStringOf,
  anything: () => null,
};

function timeOf(field: WireField, decimals: 0 | 6): Json {
  const parts = new Map([...wireFields(bytesOf(field))].map((part) => [part.number, part]));
  const seconds = parts.get(1);
  if (seconds === undefined) return null;
  const nanos = parts.get(2);
  const whole = Number(BigInt.asIntN(64, numberOf(seconds)));
  const date = new Date(whole * 1_000).toISOString().slice(0, 19);
  const micros = nanos === undefined ? 0 : Math.floor(Number(numberOf(nanos)) / 1_000);
  return decimals === 0 ? `${date}Z` : `${date}.${String(micros).padStart(6, "0")}Z`;
}

function intOrStringOf(field: WireField): Json {
  const parts = new Map([...wireFields(bytesOf(field))].map((part) => [part.number, part]));
  const kind = parts.get(1);
  const isText = kind !== undefined && numberOf(kind) === 1n;
  const part = parts.get(isText ? 3 : 2);
  if (part === undefined) return isText ? "" : 0;
  return isText ? textOf(part) : Number(BigInt.asIntN(64, numberOf(part)));
}

function innerText(field: WireField, number: number): string {
  const part = [...wireFields(bytesOf(field))].find((inner) => inner.number === number);
  return part === undefined ? "" : textOf(part);
}

function textOf(field: WireField): string {
  return new TextDecoder().decode(bytesOf(field));
}

function bytesOf({ value }: WireField): Uint8Array {
  if (typeof value !== "bigint") return value;
  throw badRequest("the object provided is unrecognized: a protobuf field has the wrong type");
}

function numberOf({ value }: WireField): bigint {
  if (typeof value === "bigint") return value;
  throw badRequest("the object provided is unrecognized: a protobuf field has the wrong type");
}

function asObject(value: Json | undefined): Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, Json] => entry[1] !== undefined),
      )
    : {};
}

import type { Json, JsonObject } from "@cloudwright/core/model/values/json";
import { byCodeUnit } from "../text-order.ts";
import { DecodeError } from "./decode-error.ts";
import { decodeScalar, zeroScalar } from "./decode-scalar.ts";
import type { Field, Infer, MapSchema, Schema, StructSchema } from "./schema.ts";

interface Place {
  readonly path: string;
  /** `ObjectMeta.metadata.name`: upstream's decoder's name for a field. */
  readonly goField: string;
}

/**
 * Returns the object as the API server would store it: only known fields, in upstream's order, zero values left out or filled in as the
 * schema says, times normalised. Throws DecodeError.
 */
export function decode<S extends StructSchema>(schema: S, input: unknown): Infer<S> {
  const value = decodeValue(schema, input ?? {}, { path: "", goField: schema.name });
  // The code above builds exactly what the schema describes; the type system cannot follow it.
  return value as Infer<S>;
}

function decodeValue(schema: Schema, input: unknown, place: Place): Json {
  switch (schema.kind) {
    case "scalar":
      return decodeScalar(schema.type, input, place.goField);
    case "list":
      return expectArray(input, place).map((item, index) =>
        item === null
          ? zeroOf(schema.item, place)
          : decodeValue(schema.item, item, { ...place, path: `${place.path}[${index}]` }),
      );
    case "map":
      return decodeMap(schema, input, place);
    case "struct":
      return decodeStruct(schema, input, place);
  }
}

function decodeMap(schema: MapSchema, input: unknown, place: Place): JsonObject {
  const result: Record<string, Json> = {};
  const source = expectObject(input, place);
  for (const key of Object.keys(source).sort(byCodeUnit)) {
    const item = source[key];
    const below = { ...place, path: `${place.path}.${key}` };
    result[key] =
      item === null ? zeroOf(schema.item, below) : decodeValue(schema.item, item, below);
  }
  return result;
}

function decodeStruct(schema: StructSchema, input: unknown, place: Place): JsonObject {
  const source = expectObject(input, place);
  const result: Record<string, Json> = {};
  for (const [key, field] of Object.entries(schema.fields)) {
    const value = decodeField(field, source[key], {
      path: place.path === "" ? key : `${place.path}.${key}`,
      goField: `${schema.name}.${place.path === "" ? "" : `${lastName(place.path)}.`}${key}`,
    });
    if (value !== undefined) result[key] = value;
  }
  return result;
}

function decodeField(field: Field, input: unknown, place: Place): Json | undefined {
  if (input === undefined || input === null) {
    return field.presence === "always" ? zeroOf(field.schema, place) : undefined;
  }
  const value = decodeValue(field.schema, input, place);
  return field.presence === "omitEmpty" && isEmpty(field.schema, value) ? undefined : value;
}

function zeroOf(schema: Schema, place: Place): Json {
  if (schema.kind === "struct") return decodeStruct(schema, {}, place);
  return schema.kind === "scalar" ? zeroScalar(schema.type) : null;
}

function isEmpty(schema: Schema, value: Json): boolean {
  if (schema.kind === "struct") return false;
  if (value === null || typeof value !== "object") return value === null || !value;
  return Object.keys(value).length === 0;
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1).replace(/\[\d+\]$/, "");
}

function expectArray(input: unknown, place: Place): readonly unknown[] {
  if (Array.isArray(input)) return input;
  throw new DecodeError(mismatch(input, place, "[]"));
}

function expectObject(input: unknown, place: Place): Record<string, unknown> {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) {
    return { ...input };
  }
  throw new DecodeError(mismatch(input, place, "map"));
}

function mismatch(input: unknown, place: Place, expected: string): string {
  const got = Array.isArray(input) ? "array" : typeof input;
  return `json: cannot unmarshal ${got} into Go struct field ${place.goField} of type ${expected}`;
}

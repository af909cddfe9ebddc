import type { Json } from "@cloudwright/core/model/values/json";

/**
 * A small language for the shape of API objects. One description serves decoding, strict field validation, pruning, strategic merging and
 * OpenAPI, so each resource is described once.
 */
export type Schema = ScalarSchema | ListSchema | MapSchema | StructSchema;

export type ScalarType =
  | "text"
  | "integer"
  | "boolean"
  | "time"
  | "microTime"
  | "quantity"
  | "bytes"
  | "intOrString"
  | "anything";

export interface ScalarSchema<Shape = unknown> {
  readonly kind: "scalar";
  readonly type: ScalarType;
  /** Never set: it only carries the TypeScript type. */
  readonly shape?: Shape;
}

/** How a strategic merge patch treats a list: replaced completely, as a set of scalars, or item by item by a key. */
export type ListMerge = "replace" | "set" | { readonly key: string };

export interface ListSchema<Item = unknown> {
  readonly kind: "list";
  readonly item: Schema;
  readonly merge: ListMerge;
  readonly shape?: readonly Item[];
}

export interface MapSchema<Item = unknown> {
  readonly kind: "map";
  readonly item: Schema;
  readonly shape?: Readonly<Record<string, Item>>;
}

export interface StructSchema<Shape = unknown> {
  readonly kind: "struct";
  /** Upstream's name of the type, for error messages and OpenAPI. */
  readonly name: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** The fields in the order of their protobuf numbers, from 1 on; "-" for a number that upstream skipped. */
  readonly wireOrder: readonly string[];
  readonly shape?: Shape;
}

/**
 * How upstream's types serialise. `omitEmpty`: a zero value is left out. `nullable`: only null is left out. `always`: an absent value is
 * written as the type's zero value.
 */
export type Presence = "omitEmpty" | "nullable" | "always";

export interface Field<S extends Schema = Schema> {
  readonly schema: S;
  readonly presence: Presence;
}

/** The TypeScript type of the values that a schema describes. */
export type Infer<S> = S extends { readonly shape?: infer Shape }
  ? Exclude<Shape, undefined>
  : never;

type FieldTable = Readonly<Record<string, Schema | Field>>;
type SchemaOf<F> = F extends Field<infer S> ? S : F;
type AlwaysKeys<F extends FieldTable> = {
  [K in keyof F]: F[K] extends AlwaysField ? K : never;
}[keyof F];
interface AlwaysField {
  readonly presence: "always";
}
type StructShape<F extends FieldTable> = {
  readonly [K in AlwaysKeys<F>]: Infer<SchemaOf<F[K]>>;
} & {
  readonly [K in Exclude<keyof F, AlwaysKeys<F>>]?: Infer<SchemaOf<F[K]>>;
};

export const text = scalar<string>("text");
export const integer = scalar<number>("integer");
export const boolean = scalar<boolean>("boolean");
/** RFC 3339 with seconds. */
export const time = scalar<string | null>("time");
/** RFC 3339 with exactly six decimals of a second. */
export const microTime = scalar<string | null>("microTime");
export const quantity = scalar<string>("quantity");
export const bytes = scalar<string>("bytes");
export const intOrString = scalar<string | number>("intOrString");
export const anything = scalar<Json>("anything");

export function list<S extends Schema>(
  item: S,
  merge: ListMerge = "replace",
): ListSchema<Infer<S>> {
  return { kind: "list", item, merge };
}

export function mapOf<S extends Schema>(item: S): MapSchema<Infer<S>> {
  return { kind: "map", item };
}

/** `wireOrder`: see StructSchema, names separated by spaces; without it the struct has no protobuf form. */
export function struct<F extends FieldTable>(
  name: string,
  fields: F,
  wireOrder = "",
): StructSchema<StructShape<F>> {
  const table: Record<string, Field> = {};
  for (const [key, field] of Object.entries(fields)) {
    table[key] = "presence" in field ? field : { schema: field, presence: "omitEmpty" };
  }
  const order = wireOrder.split(" ").filter((word) => word !== "");
  return { kind: "struct", name, fields: table, wireOrder: order };
}

export function nullable<S extends Schema>(schema: S): Field<S> {
  return { schema, presence: "nullable" };
}

export function always<S extends Schema>(schema: S): Field<S> & AlwaysField {
  return { schema, presence: "always" };
}

function scalar<Shape>(type: ScalarType): ScalarSchema<Shape> {
  return { kind: "scalar", type };
}

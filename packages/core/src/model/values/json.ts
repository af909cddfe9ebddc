import { z } from "zod";

/** A value that survives JSON unchanged; the only shape that plans, records and hashes carry. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export const jsonSchema: z.ZodType<Json> = z.lazy(() =>
  z.union([
    z.null(),
    z.boolean(),
    z.number(),
    z.string(),
    z.array(jsonSchema),
    z.record(z.string(), jsonSchema),
  ]),
);

/** The one text of a JSON value: keys sorted, members that are undefined left out. Equal values, equal text. */
export function canonicalJson(value: Json | undefined): string {
  if (value === undefined) return "null";
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort((left, right) => (left < right ? -1 : 1))
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(",")}}`;
}

export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  return canonicalJson(left) === canonicalJson(right);
}

function isJsonArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

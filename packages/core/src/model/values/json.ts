import { z } from "zod/mini";

/** A value that survives JSON unchanged; the only shape that plans, records and hashes carry. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Checked by hand, without a copy: zod takes each part of a value for each of the six kinds in turn, which was a fifth of writing the ledger. */
export const jsonSchema: z.ZodMiniType<Json> = z.custom<Json>(isJson, "it is not a JSON value");

function isJson(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const part = left.pop();
    if (isLeaf(part)) continue;
    if (!isPlain(part)) return false;
    for (const member of Object.values(part)) left.push(member);
  }
  return true;
}

function isLeaf(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return value === null || typeof value === "string" || typeof value === "boolean";
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

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

/**
 * Whether two values of JSON say the same, whatever the order of members; one that is not there is as null, and a member that is undefined
 * is none. Neither becomes a text for it: each watch event is compared with what was known.
 */
export function sameJson(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (!isComposed(left) || !isComposed(right)) return (left ?? null) === (right ?? null);
  if (Array.isArray(left)) return Array.isArray(right) && sameItems(left, right);
  return !Array.isArray(right) && sameMembers(left, right);
}

type Members = Readonly<Record<string, unknown>>;

function isComposed(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}

function sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, at) => sameJson(item, right[at]));
}

function sameMembers(left: Members, right: Members): boolean {
  let more = 0;
  for (const key of Object.keys(right)) if (right[key] !== undefined) more += 1;
  for (const key of Object.keys(left)) {
    if (left[key] === undefined) continue;
    if (!Object.hasOwn(right, key) || !sameMember(left[key], right[key])) return false;
    more -= 1;
  }
  return more === 0;
}

/** One that is undefined is none, which is another thing than null. */
function sameMember(left: unknown, right: unknown): boolean {
  return right !== undefined && sameJson(left, right);
}

function isJsonArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value of a JSON text; undefined for what is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

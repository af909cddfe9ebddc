import { z } from "zod/mini";

/** A value that survives JSON unchanged; plans, records and hashes contain nothing else. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/**
 * Checked by hand, without a copy: zod tries each part of a value as each of the six kinds in turn, which took a fifth of the time for
 * writing the ledger.
 */
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

/**
 * Returns the canonical text of a JSON value: keys sorted, undefined members omitted. Equal values have equal
 * texts.
 */
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
 * Compares two JSON values, whatever the order of members. A missing value equals null, and an undefined member counts as absent. Neither
 * is converted to text, as each watch event is compared with what was known.
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

/** An undefined member is absent, which differs from null. */
function sameMember(left: unknown, right: unknown): boolean {
  return right !== undefined && sameJson(left, right);
}

function isJsonArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns the value of a JSON text; undefined if it is invalid. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { canonicalJson, type Json } from "../values/json.ts";

export interface DiffRow {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Before and after, member by member; only what differs. A member that is not there is undefined. */
export function diffRows(before: Json, after: Json): readonly DiffRow[] {
  const left = membersOf(before);
  const right = membersOf(after);
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((path) => left.get(path) !== right.get(path))
    .map((path) => rowOf(path, left.get(path), right.get(path)));
}

/** What the end state lists as removed was there before, and is not afterwards. */
function rowOf(path: string, before: string | undefined, after: string | undefined): DiffRow {
  const isRemoved = before === undefined && /(^|› )removed$/.test(path);
  return isRemoved ? { path, before: after, after: undefined } : { path, before, after };
}

/** Its plain values by their path. */
function membersOf(
  value: Json | undefined,
  path = "",
  members = new Map<string, string>(),
): ReadonlyMap<string, string> {
  if (value === undefined || value === null) return members;
  if (!isBranch(value)) return members.set(path === "" ? "value" : path, textOf(value));
  for (const [key, member] of Object.entries(value))
    membersOf(member, path === "" ? key : `${path} › ${key}`, members);
  return members;
}

/** Lists of plain values stay whole: as one row they read better than by index. */
function isBranch(value: Json): value is { readonly [key: string]: Json | undefined } {
  if (typeof value !== "object" || value === null) return false;
  return !Array.isArray(value);
}

function textOf(value: Json): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((item) => itemText(item)).join("\n");
  return canonicalJson(value);
}

function itemText(item: Json): string {
  if (typeof item === "object" && item !== null && !Array.isArray(item)) {
    return Object.values(item)
      .map((member) => (typeof member === "string" ? member : canonicalJson(member)))
      .join(" ");
  }
  return typeof item === "string" ? item : canonicalJson(item);
}

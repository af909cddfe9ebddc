import { canonicalJson, type Json } from "../values/json.ts";

export interface DiffRow {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Before and after, member by member; only what differs. A member that is not there is undefined. */
export function diffRows(before: Json, after: Json): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  eachMember({ value: before, other: after, path: "" }, (path, was, is) => {
    if (was !== is) rows.push(rowOf(path, was, is));
  });
  eachMember({ value: after, other: before, path: "" }, (path, is, was) => {
    if (was === undefined) rows.push(rowOf(path, was, is));
  });
  return rows;
}

/** What the end state lists as removed was there before, and is not afterwards. */
function rowOf(path: string, before: string | undefined, after: string | undefined): DiffRow {
  const isRemoved = before === undefined && /(^|› )removed$/.test(path);
  return isRemoved ? { path, before: after, after: undefined } : { path, before, after };
}

type Visit = (path: string, text: string, otherText: string | undefined) => void;

/**
 * The plain values of one side with their paths and what is in their places on the other. Nothing is copied: the log shows what each run
 * has written, in waves of thousands.
 */
function eachMember({ value, other, path }: Compared, visit: Visit): void {
  if (isNone(value) || value === other) return;
  if (isBranch(value)) {
    for (const key of Object.keys(value))
      eachMember(
        { value: value[key], other: memberOf(other, key), path: pathTo(path, key) },
        visit,
      );
    return;
  }
  const isPlain = !isNone(other) && !isBranch(other);
  visit(path === "" ? "value" : path, textOf(value), isPlain ? textOf(other) : undefined);
}

interface Compared {
  readonly value: Json | undefined;
  readonly other: Json | undefined;
  readonly path: string;
}

function pathTo(path: string, key: string): string {
  return path === "" ? key : `${path} › ${key}`;
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  return !isNone(value) && isBranch(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function isNone(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null;
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

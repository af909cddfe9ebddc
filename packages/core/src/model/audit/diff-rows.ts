import { canonicalJson, type Json } from "../values/json.ts";

export interface DiffRow {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Compares before and after member by member and returns only what differs. A missing member is undefined. */
export function diffRows(before: Json, after: Json): readonly DiffRow[] {
  const rows = new Rows();
  rows.changed(before, after, "");
  rows.added(after, before, "");
  return rows.found;
}

/** Copies nothing and converts only differences to text, as the log shows what each run has written, in waves of thousands. */
class Rows {
  readonly found: DiffRow[] = [];

  /** Collects what existed before and differs or is missing now. */
  changed(before: Json | undefined, after: Json | undefined, path: string): void {
    if (isNone(before) || before === after) return;
    if (isBranch(before)) {
      for (const key of Object.keys(before))
        this.changed(before[key], memberOf(after, key), pathTo(path, key));
      return;
    }
    const was = textOf(before);
    const is = isPlain(after) ? textOf(after) : undefined;
    if (was !== is) this.found.push(rowOf(path, was, is));
  }

  /** Collects what exists now and did not before. */
  added(after: Json | undefined, before: Json | undefined, path: string): void {
    if (isNone(after) || after === before) return;
    if (isBranch(after)) {
      for (const key of Object.keys(after))
        this.added(after[key], memberOf(before, key), pathTo(path, key));
      return;
    }
    if (!isPlain(before)) this.found.push(rowOf(path, undefined, textOf(after)));
  }
}

/** Anything that the end state lists as removed existed before, and does not afterwards. */
function rowOf(place: string, before: string | undefined, after: string | undefined): DiffRow {
  const path = place === "" ? "value" : place;
  const isRemoved = before === undefined && /(^|› )removed$/.test(path);
  return isRemoved ? { path, before: after, after: undefined } : { path, before, after };
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

function isPlain(value: Json | undefined): value is Json {
  return !isNone(value) && !isBranch(value);
}

/** Lists of plain values stay whole: they are easier to read as one row than by index. */
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

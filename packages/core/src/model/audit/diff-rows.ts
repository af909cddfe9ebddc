import { canonicalJson, type Json } from "../values/json.ts";

export interface DiffRow {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Before and after, member by member; only what differs. A member that is not there is undefined. */
export function diffRows(before: Json, after: Json): readonly DiffRow[] {
  const rows = new Rows();
  rows.changed(before, after, "");
  rows.added(after, before, "");
  return rows.found;
}

/** Nothing is copied, and only what differs becomes a text: the log shows what each run has written, in waves of thousands. */
class Rows {
  readonly found: DiffRow[] = [];

  /** What was there, and is something else or nothing now. */
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

  /** What is there, and was not. */
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

/** What the end state lists as removed was there before, and is not afterwards. */
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

import { createHash } from "node:crypto";
import { z } from "zod";
import { apiError } from "./api-error.ts";

/** The largest page, and the one that a request without `limit` gets (spec/70). */
const PAGE_LIMIT = 500;

/** The fields of a listing's query that choose the page. */
export const pageFields = {
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT).default(PAGE_LIMIT),
  cursor: z.string().optional(),
};

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** The filters of the listing, as JSON: a cursor is only valid with the same filters. */
  readonly filters: unknown;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * Returns one page of candidates, which are in order of `sequence`. A cursor continues after the last one shown, whatever was created or
 * deleted since. Throws ApiError `invalid` for a cursor of another listing.
 */
export function pageOf<Entry extends { readonly sequence: number }>(
  candidates: Iterable<Entry>,
  { limit, cursor, filters }: PageRequest,
): Page<Entry> {
  const mark = ownerOf(filters);
  const after = cursor === undefined ? 0 : readCursor(cursor, mark);
  const found: Entry[] = [];
  for (const entry of candidates) {
    if (entry.sequence > after) {
      found.push(entry);
    }
    if (found.length > limit) {
      break;
    }
  }
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const more = found.length > limit && last !== undefined;
  return { items, next: more ? writeCursor(last.sequence, mark) : null };
}

/** Returns a query as an object: the repeated keys as lists, the others as single values. */
export function readQuery(
  search: URLSearchParams,
  repeated: readonly string[],
): Record<string, unknown> {
  return {
    ...Object.fromEntries([...search].filter(([key]) => !repeated.includes(key))),
    ...Object.fromEntries(repeated.map((key) => [key, search.getAll(key)])),
  };
}

function ownerOf(filters: unknown): string {
  return createHash("sha256").update(JSON.stringify(filters)).digest("base64url").slice(0, 8);
}

function writeCursor(sequence: number, mark: string): string {
  return Buffer.from(`${sequence}.${mark}`).toString("base64url");
}

function readCursor(cursor: string, wanted: string): number {
  const [sequence, mark] = Buffer.from(cursor, "base64url").toString().split(".");
  const position = Number(sequence);
  if (mark !== wanted || !Number.isSafeInteger(position) || position < 1) {
    throw apiError(
      "invalid",
      "The field cursor is not valid: it was not given out for this listing, so start without one.",
    );
  }
  return position;
}

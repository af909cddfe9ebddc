import { createHash } from "node:crypto";
import { z } from "zod";
import { apiError, parseInput } from "./api-error.ts";
import type { Instance } from "./instance.ts";
import type { InstanceStore, StoredInstance } from "./instance-store.ts";

/** The largest page, and the one that a request without `limit` gets (spec/70). */
export const PAGE_LIMIT = 500;

export interface InstancePage {
  readonly items: readonly Instance[];
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
}

const querySchema = z.strictObject({
  id: z.array(z.string()),
  name: z.array(z.string()),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT).default(PAGE_LIMIT),
  cursor: z.string().optional(),
});

/**
 * One page in order of creation. With `id` or `name` it shows the machines that have one of these ids or one of these
 * names, each once. A cursor goes on behind the last machine shown, whatever was created or deleted since; it is
 * good for the same filters only.
 */
export function listInstances(store: InstanceStore, search: URLSearchParams): InstancePage {
  const query = parseInput(querySchema, readQuery(search));
  const filter = filterMark(query);
  const after = query.cursor === undefined ? 0 : readCursor(query.cursor, filter);
  const found: StoredInstance[] = [];
  for (const stored of candidates(store, query)) {
    if (stored.sequence > after) {
      found.push(stored);
    }
    if (found.length > query.limit) {
      break;
    }
  }
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const more = found.length > query.limit && last !== undefined;
  return {
    items: page.map(({ instance }) => instance),
    next: more ? writeCursor(last.sequence, filter) : null,
  };
}

interface Filters {
  readonly id: readonly string[];
  readonly name: readonly string[];
}

function readQuery(search: URLSearchParams): Record<string, unknown> {
  const single = [...search].filter(([key]) => key !== "id" && key !== "name");
  return { id: search.getAll("id"), name: search.getAll("name"), ...Object.fromEntries(single) };
}

function candidates(store: InstanceStore, { id, name }: Filters): Iterable<StoredInstance> {
  if (id.length === 0 && name.length === 0) {
    return store.all();
  }
  const matches = new Set([
    ...id.flatMap((one) => store.find(one) ?? []),
    ...name.flatMap((one) => store.named(one)),
  ]);
  return [...matches].sort((a, b) => a.sequence - b.sequence);
}

function filterMark({ id, name }: Filters): string {
  return createHash("sha256")
    .update(JSON.stringify([id, name]))
    .digest("base64url")
    .slice(0, 8);
}

function writeCursor(sequence: number, filter: string): string {
  return Buffer.from(`${sequence}.${filter}`).toString("base64url");
}

function readCursor(cursor: string, filter: string): number {
  const [sequence, mark] = Buffer.from(cursor, "base64url").toString().split(".");
  const position = Number(sequence);
  if (mark !== filter || !Number.isSafeInteger(position) || position < 1) {
    throw apiError(
      "invalid",
      "The field cursor is not valid: it was not given out for this listing, so start without one.",
    );
  }
  return position;
}

import { z } from "zod";
import { carriesAll, type TagFilter, type Tags, tagFilterSchema } from "../resources/tags.ts";
import type { Entry } from "../state/collection.ts";
import { parseInput } from "./api-error.ts";
import { type Page, pageFields, pageOf, readQuery } from "./page.ts";

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly tags: Tags;
}

export interface Listing<Item extends Listed> {
  readonly entries: Iterable<Entry<Item>>;
  /** The query parameter besides `tag`: one of several ids or names. */
  readonly by?: "id" | "name";
}

const querySchemas = {
  none: z.strictObject({ tag: z.array(tagFilterSchema), ...pageFields }),
  id: z.strictObject({ tag: z.array(tagFilterSchema), id: z.array(z.string()), ...pageFields }),
  name: z.strictObject({ tag: z.array(tagFilterSchema), name: z.array(z.string()), ...pageFields }),
};

/** Returns one page, in order of creation, of the items that carry every `tag=key=value` and have one of the requested ids or names. */
export function listTagged<Item extends Listed>(
  { entries, by }: Listing<Item>,
  search: URLSearchParams,
): Page<Item> {
  const { tag, limit, cursor, ...rest } = parseInput(
    querySchemas[by ?? "none"],
    readQuery(search, by === undefined ? ["tag"] : ["tag", by]),
  );
  const filter = { tag, one: new Set(namesOf(rest)), by };
  const filters = [by, [...filter.one], tag];
  const page = pageOf(matching(entries, filter), { limit, cursor, filters });
  return { items: page.items.map(({ item }) => item), next: page.next };
}

function namesOf(query: { id?: string[]; name?: string[] }): readonly string[] {
  return query.id ?? query.name ?? [];
}

interface Filter {
  readonly tag: readonly TagFilter[];
  readonly by: "id" | "name" | undefined;
  /** Empty: all. */
  readonly one: ReadonlySet<string>;
}

function* matching<Item extends Listed>(
  entries: Iterable<Entry<Item>>,
  { tag, by, one }: Filter,
): Iterable<Entry<Item>> {
  for (const entry of entries) {
    const isAsked = by === undefined || one.size === 0 || one.has(entry.item[by]);
    if (isAsked && carriesAll(entry.item.tags, tag)) {
      yield entry;
    }
  }
}

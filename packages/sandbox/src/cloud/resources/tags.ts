import { z } from "zod";

const TEXT_LIMIT = 128;
const COUNT_LIMIT = 50;

/** What a client writes on its own resources to recognise them. A key has no `=`, since a filter is `key=value`. */
export const tagsSchema = z
  .record(
    z
      .string()
      .min(1)
      .max(TEXT_LIMIT)
      .regex(/^[^=]*$/, "a key must not contain ="),
    z.string().max(TEXT_LIMIT),
  )
  .refine((tags) => Object.keys(tags).length <= COUNT_LIMIT, {
    error: `there may be at most ${COUNT_LIMIT} tags`,
  });
export type Tags = Readonly<z.infer<typeof tagsSchema>>;

/** One `tag=` parameter of a query. */
export const tagFilterSchema = z
  .string()
  .regex(/^[^=]+=/, "it must be key=value")
  .transform((text) => {
    const split = text.indexOf("=");
    return { key: text.slice(0, split), value: text.slice(split + 1) };
  });
export type TagFilter = z.infer<typeof tagFilterSchema>;

export function carriesAll(tags: Tags, filters: readonly TagFilter[]): boolean {
  return filters.every(({ key, value }) => Object.hasOwn(tags, key) && tags[key] === value);
}

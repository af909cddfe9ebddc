import { type CallRef, ProviderError } from "@cloudwright/provider-api";
import { z } from "zod";

const linksSchema = z.array(z.object({ rel: z.string(), href: z.string() })).optional();

/** A page of a collection. Only the marker of the next page's URL is used: a service does not decide where we send requests. */
export function pageSchema(collection: string) {
  return z
    .object({ [collection]: z.array(z.unknown()), [`${collection}_links`]: linksSchema })
    .transform((page) => {
      const links = linksSchema.parse(page[`${collection}_links`]);
      const next = links?.find(({ rel }) => rel === "next")?.href;
      const marker = next === undefined ? undefined : markerOf(next);
      return { items: z.array(z.unknown()).parse(page[collection]), next: marker };
    });
}

function markerOf(href: string): string | undefined {
  return new URLSearchParams(href.slice(href.indexOf("?") + 1)).get("marker") ?? undefined;
}

export interface UnreadableItem {
  readonly id: string | undefined;
  readonly problem: string;
}

export interface ItemReading<Schema extends z.ZodType> {
  readonly call: CallRef;
  readonly item: Schema;
  readonly onUnreadable: ((item: UnreadableItem) => void) | undefined;
}

/** Returns the items of all pages. Throws ProviderError `Unavailable` for an item of the wrong shape, unless the caller handles those. */
export function itemsOf<Schema extends z.ZodType>(
  pages: readonly { readonly items: readonly unknown[] }[],
  { call, item, onUnreadable }: ItemReading<Schema>,
): readonly z.output<Schema>[] {
  return pages.flatMap(({ items }) =>
    items.flatMap((raw) => {
      const read = item.safeParse(raw);
      if (read.success) return [read.data];
      const unreadable = { id: idOf(raw), problem: problemOf(read.error) };
      if (onUnreadable === undefined) throw unreadableItem(call, unreadable);
      onUnreadable(unreadable);
      return [];
    }),
  );
}

function idOf(item: unknown): string | undefined {
  return z.object({ id: z.string() }).safeParse(item).data?.id;
}

function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return `${issue?.path.map(String).join(".") || "it"}: ${issue?.message ?? "not readable"}`;
}

function unreadableItem(call: CallRef, { id, problem }: UnreadableItem): ProviderError {
  return new ProviderError(
    "Unavailable",
    `The listing ${call.operation} cannot be used: ${id ?? "an item"} in it is not what the API promises (${problem}).`,
    call,
  );
}

import { canonicalJson, type Json, type JsonObject } from "@cloudwright/core/model/values/json";
import type { Database } from "@cloudwright/store/database/database";
import type { ExportedField } from "@cloudwright/store/exports/list-file";
import { z } from "zod";

/** What the address of an export says of a list, as its page's query takes it. */
export interface ListRequest {
  readonly cluster: string;
  readonly filter: JsonObject;
  readonly sort: { readonly by: string; readonly descending: boolean } | undefined;
}

/** What of a list is written into a file. */
export interface OpenedList {
  readonly order: string;
  readonly filter: JsonObject;
  readonly fields: readonly ExportedField<never>[];
  readonly pages: AsyncIterable<readonly never[]>;
}

/** Undefined for a filter or an order that the list does not have. */
export type OpenList = (db: Database, request: ListRequest) => OpenedList | undefined;

/** The one order that a list has on its page. */
export const AS_SHOWN = { by: "shown", descending: false } as const;
export const asShown = z.object({ by: z.literal("shown"), descending: z.literal(false) });

interface Sorted {
  readonly filter: object;
  readonly sort: { readonly by: string; readonly descending: boolean };
}

export interface ListOf<Input extends Sorted, Row> {
  /** That of the page's query. */
  readonly input: z.ZodType<Input>;
  /** The order of an address that names none. */
  readonly usual: ListRequest["sort"];
  readonly fields: readonly ExportedField<Row>[];
  readonly pages: (db: Database, input: Input) => AsyncIterable<readonly Row[]>;
}

/** A list that is exported by the input of its page's query. */
export function list<Input extends Sorted, Row>({
  input,
  usual,
  fields,
  pages,
}: ListOf<Input, Row>): OpenList {
  return (db, { cluster, filter, sort = usual }) => {
    const parsed = input.safeParse({ cluster, filter, sort, limit: 1 });
    // A member that the list does not know would be left out, and the file would hold more than was meant.
    if (!parsed.success) return undefined;
    if (canonicalJson(parsed.data.filter as Json) !== canonicalJson(filter)) return undefined;
    const { by, descending } = parsed.data.sort;
    return {
      filter,
      order: `${descending ? "-" : ""}${by}`,
      // Rows and fields are of the same list.
      ...({ fields, pages: pages(db, parsed.data) } as Pick<OpenedList, "fields" | "pages">),
    };
  };
}

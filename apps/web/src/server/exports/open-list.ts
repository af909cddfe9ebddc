import { canonicalJson, type Json, type JsonObject } from "@cloudwright/core/model/values/json";
import type { Database } from "@cloudwright/store/database/database";
import type { ExportedField } from "@cloudwright/store/exports/list-file";
import { z } from "zod";

/** What an export's address says about a list, in the form of its page's query. */
export interface ListRequest {
  readonly cluster: string;
  readonly filter: JsonObject;
  readonly sort: { readonly by: string; readonly descending: boolean } | undefined;
}

/** The fields and rows of a list that go into a file. */
export interface OpenedList {
  readonly order: string;
  readonly filter: JsonObject;
  readonly fields: readonly ExportedField<never>[];
  readonly pages: AsyncIterable<readonly never[]>;
}

/** Returns undefined for a filter or an order that the list does not have. */
export type OpenList = (db: Database, request: ListRequest) => OpenedList | undefined;

/** The fixed order in which the page shows a list. */
export const AS_SHOWN = { by: "shown", descending: false } as const;
export const asShown = z.object({ by: z.literal("shown"), descending: z.literal(false) });

interface Sorted {
  readonly filter: object;
  readonly sort: { readonly by: string; readonly descending: boolean };
}

export interface ListOf<Input extends Sorted, Row> {
  /** The input of the page's query. */
  readonly input: z.ZodType<Input>;
  /** The order if the address names none. */
  readonly usual: ListRequest["sort"];
  readonly fields: readonly ExportedField<Row>[];
  readonly pages: (db: Database, input: Input) => AsyncIterable<readonly Row[]>;
}

/** Makes a list that is exported with the input of its page's query. */
export function list<Input extends Sorted, Row>({
  input,
  usual,
  fields,
  pages,
}: ListOf<Input, Row>): OpenList {
  return (db, { cluster, filter, sort = usual }) => {
    const parsed = input.safeParse({ cluster, filter, sort, limit: 1 });
    // An unknown member would otherwise be ignored, and the file would hold more than intended.
    if (!parsed.success) return undefined;
    if (canonicalJson(parsed.data.filter as Json) !== canonicalJson(filter)) return undefined;
    const { by, descending } = parsed.data.sort;
    return {
      filter,
      order: `${descending ? "-" : ""}${by}`,
      // Rows and fields belong to the same list.
      ...({ fields, pages: pages(db, parsed.data) } as Pick<OpenedList, "fields" | "pages">),
    };
  };
}

import { writeParams } from "../../components/url/search-params.ts";

/** What a list shows, with the filter of its query. */
export interface ExportedView {
  /** The list's name on the server. */
  readonly list: string;
  /** For the audit record, it may be the chain of the accounts; absent for a list that belongs to no single cluster. */
  readonly cluster?: string;
  /** Members that are undefined select nothing; absent for a list without a filter. */
  readonly filter?: object;
  readonly sort?: { readonly by: string; readonly descending: boolean } | undefined;
}

/** Returns the address of the file with exactly these rows. */
export function exportHref(
  { list, cluster, filter = {}, sort }: ExportedView,
  format: "csv" | "json",
): string {
  const text = JSON.stringify(filter);
  const params = {
    ...{ list, cluster, format },
    filter: text === "{}" ? undefined : text,
    sort: sort === undefined ? undefined : `${sort.descending ? "-" : ""}${sort.by}`,
  };
  return `/api/export${writeParams(params)}`;
}

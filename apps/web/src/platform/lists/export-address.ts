import { writeParams } from "../../components/url/search-params.ts";

/** What a list shows, as its query was asked for it. */
export interface ExportedView {
  /** Its name on the server. */
  readonly list: string;
  /** Of the audit record it may be the chain of the accounts; absent of a list that is about no one cluster. */
  readonly cluster?: string;
  /** Members that are undefined select nothing; absent of a list that has none. */
  readonly filter?: object;
  readonly sort?: { readonly by: string; readonly descending: boolean } | undefined;
}

/** Where the file of exactly these rows can be downloaded. */
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

import { type CloudPage, listPages } from "@cloudwright/provider-api";
import type { CloudClient, Read } from "./cloud-client.ts";
import { PROVIDER } from "./config.ts";

/** What a listing is called in records, and the client whose bounds it keeps. */
export interface PagedListing {
  readonly client: CloudClient;
  readonly operation: string;
  readonly target: string;
}

/** A page with the id of the request that brought it. */
export type PageRead<Page> = Page & Pick<Read<Page>, "requestId">;

/** A listing to its last page; one that is missing or past a bound fails the whole: half a listing looks like absence. */
export function everyPage<Page extends Omit<CloudPage, "bytes">>(
  { client, operation, target }: PagedListing,
  read: (cursor: string | undefined) => Promise<Read<Page>>,
): Promise<readonly PageRead<Page>[]> {
  const call = { provider: PROVIDER, operation, target };
  const bounds = { maxBytes: client.bounds.maxBytes };
  return listPages({ call, bounds }, async (cursor) => {
    const { value, bytes, requestId } = await read(cursor);
    return { ...value, bytes, ...(requestId === undefined ? {} : { requestId }) };
  });
}

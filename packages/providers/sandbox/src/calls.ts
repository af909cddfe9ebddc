import {
  type CallContext,
  type CloudPage,
  isProviderError,
  listPages,
  ProviderError,
} from "@cloudwright/provider-api";
import { pathSegment } from "@cloudwright/provider-api/http";
import { z } from "zod";
import type { CloudClient, Read } from "./cloud-client.ts";
import { PROVIDER } from "./config.ts";

/** The name of a listing in records, and the client whose limits apply. */
interface PagedListing {
  readonly client: CloudClient;
  readonly operation: string;
  readonly target: string;
}

/** A page with the id of the request that returned it. */
type PageRead<Page> = Page & Pick<Read<Page>, "requestId">;

/** Reads all pages of a listing; a page that is missing or over a limit fails the whole, since half a listing looks like absence. */
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

/** Returns the call's answer, or undefined if the cloud says that the object does not exist. */
export async function orNone<Value>(call: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isProviderError(error) && error.code === "NotFound") return undefined;
    throw error;
  }
}

/** Splits the items, in order, into chunks of at most this size. */
export function chunksOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Returns what a call threw as the error of an answer; rethrows an abort. */
export function failureOf(error: unknown, operation: string, context: CallContext): ProviderError {
  context.signal.throwIfAborted();
  if (isProviderError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ProviderError("Unavailable", message, { provider: PROVIDER, operation, cause: error });
}

/** Removes one item of a collection such as `/v1/routes`. An item that is already gone counts as removed. */
export async function remove(
  client: CloudClient,
  { path, id }: { readonly path: string; readonly id: string },
  context: CallContext,
): Promise<void> {
  await orNone(() =>
    client.write(context, {
      method: "DELETE",
      operation: `DELETE ${path}/{id}`,
      target: id,
      path: `${path}/${pathSegment(id)}`,
      shape: z.unknown(),
    }),
  );
}

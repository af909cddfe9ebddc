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

/** What a listing is called in records, and the client whose bounds it keeps. */
interface PagedListing {
  readonly client: CloudClient;
  readonly operation: string;
  readonly target: string;
}

/** A page with the id of the request that brought it. */
type PageRead<Page> = Page & Pick<Read<Page>, "requestId">;

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

/** What the call answers; undefined when the cloud says that there is no such thing. */
export async function orNone<Value>(call: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isProviderError(error) && error.code === "NotFound") return undefined;
    throw error;
  }
}

/** The items in their order, at most so many at a time. */
export function chunksOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** What a call threw, as the error of an answer; an abort is passed on. */
export function failureOf(error: unknown, operation: string, context: CallContext): ProviderError {
  context.signal.throwIfAborted();
  if (isProviderError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ProviderError("Unavailable", message, { provider: PROVIDER, operation, cause: error });
}

/** Removes one of a collection such as `/v1/routes`. What is gone already is removed. */
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

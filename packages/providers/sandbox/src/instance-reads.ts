import type { CallContext } from "@cloudwright/provider-api";
import { pathSegment } from "@cloudwright/provider-api/http";
import type { CloudClient, Read } from "./cloud-client.ts";
import { everyPage } from "./every-page.ts";
import { type Instance, instanceSchema, type Page, pageSchema } from "./instance.ts";

/** What a listing is asked for; both absent means everything. */
export interface ListingFilter {
  readonly ids: readonly string[];
  readonly names: readonly string[];
}

export interface Listing {
  readonly instances: readonly Instance[];
  /** Of the last page. */
  readonly requestId?: string;
}

/** The reads of `/v1/instances` (spec/70). All throw ProviderError. */
export interface InstanceReads {
  get(id: string, context: CallContext): Promise<Read<Instance>>;
  /** All pages: one that is missing fails the whole, as half a listing looks like absence. */
  list(filter: ListingFilter, context: CallContext): Promise<Listing>;
  /** Whether the cloud shows any instance at all. */
  showsAny(context: CallContext): Promise<boolean>;
}

const PAGE_SIZE = 500;

export function createInstanceReads(client: CloudClient): InstanceReads {
  return {
    get: (id, context) =>
      client.read(context, {
        operation: "GET /v1/instances/{id}",
        target: id,
        path: `/v1/instances/${pathSegment(id)}`,
        shape: instanceSchema,
      }),
    list: (filter, context) => listAll(client, filter, context),
    showsAny: async (context) => {
      const page = await readPage(client, { query: "limit=1", target: "any" }, context);
      return page.value.items.length > 0;
    },
  };
}

const LISTING = "GET /v1/instances";

async function listAll(
  client: CloudClient,
  filter: ListingFilter,
  context: CallContext,
): Promise<Listing> {
  const target = targetOf(filter);
  const pages = await everyPage({ client, operation: LISTING, target }, (cursor) =>
    readPage(client, { query: queryOf(filter, cursor), target }, context),
  );
  const instances = pages.flatMap(({ items }) => items);
  const requestId = pages.at(-1)?.requestId;
  return requestId === undefined ? { instances } : { instances, requestId };
}

function readPage(
  client: CloudClient,
  { query, target }: { readonly query: string; readonly target: string },
  context: CallContext,
): Promise<Read<Page>> {
  return client.read(context, {
    operation: LISTING,
    target,
    path: `/v1/instances?${query}`,
    shape: pageSchema,
  });
}

function queryOf({ ids, names }: ListingFilter, cursor: string | undefined): string {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
  for (const id of ids) query.append("id", id);
  for (const name of names) query.append("name", name);
  if (cursor !== undefined) query.append("cursor", cursor);
  return query.toString();
}

function targetOf({ ids, names }: ListingFilter): string {
  const wanted = [...ids, ...names];
  const [first] = wanted;
  if (first === undefined) return "all";
  return wanted.length === 1 ? first : `${wanted.length} instances`;
}

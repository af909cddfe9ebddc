import { ADDRESS_TYPES, type CallContext, type InstanceFacts } from "@cloudwright/provider-api";
import { pathSegment } from "@cloudwright/provider-api/http";
import { z } from "zod";
import { everyPage } from "./calls.ts";
import type { CloudClient, Read } from "./cloud-client.ts";
import { SCHEME } from "./provider-id.ts";

/** The filter of a listing; if both are absent, everything is listed. */
interface ListingFilter {
  readonly ids: readonly string[];
  readonly names: readonly string[];
}

export interface Listing {
  readonly instances: readonly Instance[];
  /** The id of the request for the last page. */
  readonly requestId?: string;
}

/** The reads of `/v1/instances` (spec/70). All throw ProviderError. */
export interface InstanceReads {
  get(id: string, context: CallContext): Promise<Read<Instance>>;
  /** Reads all pages: a missing page fails the whole, as half a listing looks like absence. */
  list(filter: ListingFilter, context: CallContext): Promise<Listing>;
  /** Reports whether the cloud shows any instance at all. */
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

const instanceSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  state: z.enum(["pending", "running", "stopping", "stopped"]),
  type: z.string(),
  region: z.string(),
  zone: z.string(),
  addresses: z.array(z.object({ type: z.enum(ADDRESS_TYPES), address: z.string() })),
  labels: z.record(z.string(), z.string()),
  managed: z.boolean().default(true),
  providerId: z.string().optional(),
});
/** An instance as the sandbox cloud reports it (spec/70, "Resources"). */
export type Instance = Readonly<z.infer<typeof instanceSchema>>;

const pageSchema = z.object({
  items: z.array(instanceSchema),
  next: z.string().min(1).nullish(),
});
type Page = Readonly<z.infer<typeof pageSchema>>;

/** `sandbox://<id>` unless the instance says otherwise; undefined when it says "none". */
export function providerIdOf(instance: Instance): string | undefined {
  if (instance.providerId === undefined) return `${SCHEME}${instance.id}`;
  return instance.providerId === "" ? undefined : instance.providerId;
}

export function factsOf(instance: Instance, asOf: number): InstanceFacts {
  const { name, type, zone, region, addresses, labels } = instance;
  return {
    providerID: providerIdOf(instance),
    name,
    type,
    zone,
    region,
    addresses,
    additionalLabels: labels,
    power: POWER[instance.state],
    asOf,
  };
}

const POWER = {
  pending: "pending",
  running: "running",
  stopping: "stopped",
  stopped: "stopped",
} as const satisfies Record<Instance["state"], InstanceFacts["power"]>;

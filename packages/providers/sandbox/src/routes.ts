import {
  type CallContext,
  type CloudRoute,
  instanceKey,
  isProviderError,
  ProviderError,
  type RouteListing,
  type RouteSpec,
  type Routes,
  type RouteTarget,
} from "@cloudwright/provider-api";
import { z } from "zod";
import { everyPage, remove } from "./calls.ts";
import type { CloudClient } from "./cloud-client.ts";
import { PROVIDER } from "./config.ts";
import { createInstanceReads, type InstanceReads } from "./instance-reads.ts";
import { ROUTE_TAGS, routeOwnerOf, TAGS, tagsOfRoute } from "./owners.ts";
import { isOwnId, parseProviderID, SCHEME } from "./provider-id.ts";
import { InstanceIndex, lookupOf } from "./questions.ts";

/**
 * Creates the routes of the sandbox cloud's only route table (spec/70). A route is named after its Node's UID and carries its
 * mark in tags.
 */
export function createRoutes(client: CloudClient): Routes {
  return {
    abilities: { families: ["IPv4", "IPv6"], storesOwner: true },
    list: (context) => list(client, context),
    create: (options, context) => create(client, options, context),
    remove: ({ id }, context) => remove(client, { path: "/v1/routes", id }, context),
  };
}

const PAGE_SIZE = 500;

async function list(client: CloudClient, context: CallContext): Promise<RouteListing> {
  const pages = await readPages(client, { tags: {}, target: "all" }, context);
  const last = pages.at(-1);
  const { requestId } = last ?? {};
  return {
    routes: pages.flatMap(({ items }) => items.map(cloudRouteOf)),
    tables: last === undefined ? [] : [last.table],
    ...(requestId === undefined ? {} : { requestId }),
  };
}

interface RouteFilter {
  /** Items must carry all of them. */
  readonly tags: Readonly<Record<string, string>>;
  /** For the records. */
  readonly target: string;
}

async function readPages(client: CloudClient, { tags, target }: RouteFilter, context: CallContext) {
  const call = { operation: "GET /v1/routes", target };
  return await everyPage({ client, ...call }, (cursor) => {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    for (const [key, value] of Object.entries(tags)) query.append("tag", `${key}=${value}`);
    if (cursor !== undefined) query.append("cursor", cursor);
    return client.read(context, { ...call, path: `/v1/routes?${query}`, shape: routePageSchema });
  });
}

async function create(
  client: CloudClient,
  options: RouteSpec,
  context: CallContext,
): Promise<CloudRoute> {
  const { owner: mark, destination } = options;
  const instanceId = await instanceIdOf(createInstanceReads(client), options.target, context);
  try {
    const { value } = await client.write(context, {
      method: "POST",
      operation: "POST /v1/routes",
      target: destination,
      path: "/v1/routes",
      body: { name: mark.objectUid, destination, instanceId, tags: tagsOfRoute(mark) },
      shape: tableRouteSchema,
    });
    return cloudRouteOf(value);
  } catch (error) {
    if (!isProviderError(error)) throw error;
    if (error.call.field === "instanceId") throw notFound(error);
    const made = error.code === "Conflict" ? await madeBefore(client, options, context) : undefined;
    if (made?.instanceId !== instanceId) throw error;
    return cloudRouteOf(made);
  }
}

/** Returns the Node's own route to the destination, created by an earlier request whose answer was lost. */
async function madeBefore(
  client: CloudClient,
  { owner: mark, destination }: RouteSpec,
  context: CallContext,
): Promise<TableRoute | undefined> {
  const tags = { [TAGS.cluster]: mark.clusterUid, [ROUTE_TAGS.nodeUid]: mark.objectUid };
  const pages = await readPages(client, { tags, target: destination }, context);
  return pages.flatMap(({ items }) => items).find((one) => one.destination === destination);
}

/** Turns the refusal of a target into NotFound. */
function notFound({ message, call, cause }: ProviderError): ProviderError {
  return new ProviderError("NotFound", message, { ...call, cause });
}

/**
 * Returns the id of the target instance: from a provider ID that the cloud generated, else looked up by the Node's name. Throws
 * ProviderError, `NotFound` if it is not an instance of ours.
 */
async function instanceIdOf(
  reads: InstanceReads,
  ref: RouteSpec["target"],
  context: CallContext,
): Promise<string> {
  const parsed = ref.providerID === undefined ? undefined : parseProviderID(ref.providerID);
  if (parsed?.kind === "ours" && isOwnId(parsed.id)) return parsed.id;
  const { instances, requestId } = await reads.list({ ids: [], names: [ref.nodeName] }, context);
  const question = { ref, key: instanceKey(ref), name: ref.nodeName };
  const matches = new InstanceIndex(instances).matches(question);
  const lookup = lookupOf(question, matches, requestId);
  if (lookup?.kind === "failed") throw lookup.error;
  const [instance] = matches;
  if (lookup?.kind === "found" && instance !== undefined) return instance.id;
  const described =
    ref.providerID === undefined
      ? `is named ${ref.nodeName}`
      : `has the provider ID ${ref.providerID}`;
  throw new ProviderError("NotFound", `none of our instances ${described}`, {
    provider: PROVIDER,
    operation: "GET /v1/instances",
    target: ref.nodeName,
    ...(requestId === undefined ? {} : { requestId }),
  });
}

const tableRouteSchema = z.object({
  id: z.string().min(1),
  tableId: z.string().min(1),
  name: z.string(),
  destination: z.string(),
  /** "" if it has no target. */
  instanceId: z.string(),
  /** Set if no other instance has the same name. */
  instanceName: z.string().optional(),
  /** Set if the instance has a custom one. */
  providerId: z.string().optional(),
  blackhole: z.boolean(),
  tags: z.record(z.string(), z.string()),
});
/** A line of the sandbox cloud's route table (spec/70, "Resources"). */
type TableRoute = Readonly<z.infer<typeof tableRouteSchema>>;

const routePageSchema = z.object({
  items: z.array(tableRouteSchema),
  next: z.string().min(1).nullish(),
  table: z.object({
    id: z.string().min(1),
    name: z.string(),
    used: z.number().int().min(0),
    capacity: z.number().int().min(0),
  }),
});

/** This cloud does not check addresses: a route leads to a machine, whatever its addresses are. */
function cloudRouteOf(route: TableRoute): CloudRoute {
  const { id, tableId, name, destination, blackhole } = route;
  return {
    id,
    table: tableId,
    name,
    destination,
    target: targetOf(route),
    comparesAddresses: false,
    targetAddresses: [],
    blackhole,
    owner: routeOwnerOf(route),
  };
}

function targetOf({ instanceId, instanceName, providerId = "" }: TableRoute): RouteTarget {
  if (instanceId === "") return { providerID: undefined, nodeName: undefined };
  const providerID = providerId === "" ? `${SCHEME}${instanceId}` : providerId;
  return { providerID, nodeName: instanceName };
}

import {
  type CallContext,
  type CloudRoute,
  isProviderError,
  ProviderError,
  type RouteListing,
  type RouteSpec,
  type Routes,
} from "@cloudwright/provider-api";
import { pathSegment } from "@cloudwright/provider-api/http";
import { z } from "zod";
import type { CloudClient } from "./cloud-client.ts";
import { everyPage } from "./every-page.ts";
import { createInstanceReads } from "./instance-reads.ts";
import { TAGS } from "./load-balancer-owner.ts";
import { orNone } from "./or-none.ts";
import { ROUTE_TAGS, tagsOfRoute } from "./route-owner.ts";
import { instanceIdOf } from "./route-target.ts";
import { cloudRouteOf, routePageSchema, type TableRoute, tableRouteSchema } from "./table-route.ts";

/** The sandbox cloud's one route table (spec/70). A route is named by the UID of its Node and carries its mark in tags. */
export function createRoutes(client: CloudClient): Routes {
  return {
    abilities: { families: ["IPv4", "IPv6"], storesOwner: true },
    list: (context) => list(client, context),
    create: (options, context) => create(client, options, context),
    remove: (route, context) => remove(client, route, context),
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
  /** All of them must be carried. */
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

/** The Node's own route to the destination: an answer that was lost made it. */
async function madeBefore(
  client: CloudClient,
  { owner: mark, destination }: RouteSpec,
  context: CallContext,
): Promise<TableRoute | undefined> {
  const tags = { [TAGS.cluster]: mark.clusterUid, [ROUTE_TAGS.nodeUid]: mark.objectUid };
  const pages = await readPages(client, { tags, target: destination }, context);
  return pages.flatMap(({ items }) => items).find((one) => one.destination === destination);
}

/** The refusal of a target, as what it is. */
function notFound({ message, call, cause }: ProviderError): ProviderError {
  return new ProviderError("NotFound", message, { ...call, cause });
}

/** What is gone already is removed. */
async function remove(
  client: CloudClient,
  { id }: CloudRoute,
  context: CallContext,
): Promise<void> {
  await orNone(() =>
    client.write(context, {
      method: "DELETE",
      operation: "DELETE /v1/routes/{id}",
      target: id,
      path: `/v1/routes/${pathSegment(id)}`,
      shape: z.unknown(),
    }),
  );
}

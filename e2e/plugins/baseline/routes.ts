import type {
  CallContext,
  CloudRoute,
  RouteListing,
  RouteSpec,
  Routes,
} from "@cloudwright/provider-api";
import { z } from "zod";
import { type Api, asProviderError } from "./api.ts";

const TABLE = { id: "routes", name: "routes" };

const listSchema = z.object({
  routes: z.array(z.object({ name: z.string(), cidr: z.string(), node: z.string() })).nullish(),
});

/**
 * The cloud has names of nodes and nothing else: a route is ours by the node that it leads to. One node may have each
 * destination once; made again it is the same.
 */
export function routes(api: Api): Routes {
  return {
    abilities: { families: ["IPv4", "IPv6"], storesOwner: false },
    list: (context) => list(api, context),
    create: (options, context) => create(api, options, context),
    remove: (route, context) => remove(api, route, context),
  };
}

async function list(api: Api, context: CallContext): Promise<RouteListing> {
  const answer = listSchema.parse(await api.call("routes.list", {}, context));
  const all = (answer.routes ?? []).map(({ name, cidr, node }) => routeOf(name, cidr, node));
  return { routes: all, tables: [{ ...TABLE, used: all.length }] };
}

async function create(
  api: Api,
  { destination, target: { nodeName } }: RouteSpec,
  context: CallContext,
): Promise<CloudRoute> {
  const call = { operation: "routes.create", target: destination };
  await api.change(call, { cidr: destination, node: nodeName }, context);
  return routeOf(`${nodeName}/${destination}`, destination, nodeName);
}

async function remove(api: Api, { name }: CloudRoute, context: CallContext): Promise<void> {
  try {
    await api.change({ operation: "routes.delete", target: name }, { name }, context);
  } catch (error) {
    const failure = asProviderError(error, "routes.delete");
    if (failure.code !== "NotFound") throw failure;
  }
}

function routeOf(name: string, destination: string, nodeName: string): CloudRoute {
  return {
    id: name,
    table: TABLE.id,
    name,
    destination,
    target: { providerID: undefined, nodeName },
    comparesAddresses: false,
    targetAddresses: [],
    blackhole: false,
    owner: undefined,
  };
}

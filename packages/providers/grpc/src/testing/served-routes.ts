import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type CloudRoute,
  isNodeAddress,
  type RouteOwner,
  type Routes,
} from "@cloudwright/provider-api";
import type {
  RouteOwner as OwnerMessage,
  Route,
  RouteSchema,
} from "../generated/cloudwright/provider/v1/provider_pb.js";
import type { Handlers } from "./contract-server.ts";
import { servedContext } from "./served-context.ts";

/** Returns the handlers of a process that serves these routes. */
export function routeHandlers(routes: Routes): Handlers {
  return {
    listRoutes: async (_request, signal) => {
      const { context, calls } = servedContext(signal);
      const { routes: all, tables } = await routes.list(context);
      return { routes: all.map(routeMessage), tables: [...tables], calls };
    },
    createRoute: async ({ owner, destination, target, targetAddresses }, signal) => {
      const { context, calls } = servedContext(signal);
      const { nodeName = "", providerId } = target ?? {};
      const spec = {
        owner: ownerOf(owner) ?? { clusterUid: "", objectUid: "" },
        destination,
        target: { nodeName, providerID: providerId },
        targetAddresses: targetAddresses.map(plain).filter(isNodeAddress),
      };
      return { route: routeMessage(await routes.create(spec, context)), calls };
    },
    deleteRoute: async ({ route }, signal) => {
      const { context, calls } = servedContext(signal);
      if (route !== undefined) await routes.remove(routeOf(route), context);
      return { calls };
    },
  };
}

function plain({ type, address }: { readonly type: string; readonly address: string }) {
  return { type, address };
}

function routeMessage(route: CloudRoute): MessageInitShape<typeof RouteSchema> {
  const { target, owner, targetAddresses, ...fields } = route;
  const { providerID, nodeName } = target;
  return {
    ...fields,
    target: {
      ...(providerID === undefined ? {} : { providerId: providerID }),
      ...(nodeName === undefined ? {} : { nodeName }),
    },
    targetAddresses: [...targetAddresses],
    ...(owner === undefined ? {} : { owner }),
  };
}

function routeOf({ id, table, name, destination, target, owner, ...route }: Route): CloudRoute {
  return {
    ...{ id, table, name, destination },
    target: { providerID: target?.providerId, nodeName: target?.nodeName },
    comparesAddresses: route.comparesAddresses,
    targetAddresses: route.targetAddresses.map(plain).filter(isNodeAddress),
    blackhole: route.blackhole,
    owner: ownerOf(owner),
  };
}

function ownerOf(owner: OwnerMessage | undefined): RouteOwner | undefined {
  if (owner === undefined) return undefined;
  const { clusterUid, objectUid, clusterName, node } = owner;
  return {
    ...{ clusterUid, objectUid },
    ...(clusterName === undefined ? {} : { clusterName }),
    ...(node === undefined ? {} : { node }),
  };
}

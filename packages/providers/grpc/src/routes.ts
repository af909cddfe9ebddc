import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type CallContext,
  type CloudRoute,
  ProviderError,
  type RouteListing,
  type RouteSpec,
  type Routes,
} from "@cloudwright/provider-api";
import { checkBounds } from "./answer-bounds.ts";
import type { Bridge } from "./bridge.ts";
import {
  Provider,
  type RouteAbilities,
  type Route as RouteMessage,
  type RouteSchema,
  type RouteTable as RouteTableMessage,
} from "./generated/cloudwright/provider/v1/provider_pb.js";
import { addressesOf } from "./lookups.ts";
import type { RefInit } from "./object-sync.ts";
import { ipFamiliesOf } from "./wording.ts";

interface Settings {
  readonly abilities: RouteAbilities;
  readonly clusterName: string;
}

/** Creates routes that the process reads and writes. */
export function createRoutes(bridge: Bridge, settings: Settings): Routes {
  const { families, storesOwner } = settings.abilities;
  return {
    abilities: { families: ipFamiliesOf(families), storesOwner },
    list: (context) => list(bridge, settings, context),
    create: (spec, context) => create(bridge, { ...settings, spec }, context),
    remove: (route, context) => remove(bridge, { ...settings, route }, context),
  };
}

async function list(
  bridge: Bridge,
  { clusterName }: Settings,
  context: CallContext,
): Promise<RouteListing> {
  const { routes, tables, requestId } = await bridge.read(context, {
    method: Provider.method.listRoutes,
    target: clusterName,
    request: () => ({ clusterName }),
    calls: ({ calls }) => calls,
  });
  checkBounds({ provider: bridge.provider, operation: "ListRoutes" }, routes, tables);
  return {
    routes: routes.map(routeOf),
    tables: tables.map(tableOf),
    ...(requestId === "" ? {} : { requestId }),
  };
}

function tableOf({ id, name, used, capacity }: RouteTableMessage): RouteListing["tables"][number] {
  return { id, name, used, ...(capacity === undefined ? {} : { capacity }) };
}

function routeOf(message: RouteMessage): CloudRoute {
  const { id, table, name, destination, target, comparesAddresses, blackhole } = message;
  return {
    ...{ id, table, name, destination, comparesAddresses, blackhole },
    target: { providerID: target?.providerId, nodeName: target?.nodeName },
    targetAddresses: addressesOf(message.targetAddresses),
    owner: ownerOf(message),
  };
}

function ownerOf({ owner }: RouteMessage): CloudRoute["owner"] {
  if (owner === undefined) return undefined;
  const { clusterUid, objectUid, clusterName, node } = owner;
  return {
    ...{ clusterUid, objectUid },
    ...(clusterName === undefined ? {} : { clusterName }),
    ...(node === undefined ? {} : { node }),
  };
}

async function create(
  bridge: Bridge,
  { abilities, clusterName, spec }: Settings & { readonly spec: RouteSpec },
  context: CallContext,
): Promise<CloudRoute> {
  const { owner, destination, target, targetAddresses } = spec;
  const { nodeName, providerID } = target;
  const node = abilities.needsNodes ? bridge.objects.node(nodeName) : undefined;
  const { route } = await bridge.change(context, {
    method: Provider.method.createRoute,
    target: destination,
    objects: [node],
    request: (refOf, fence) => ({
      ...{ fence, owner, destination, clusterName },
      target: {
        nodeName,
        ...(providerID === undefined ? {} : { providerId: providerID }),
        ...given("node", refOf(node)),
      },
      targetAddresses: [...targetAddresses],
      // The name that upstream's route controller gives to a route.
      nameHint: owner.objectUid,
    }),
    calls: ({ calls }) => calls,
  });
  if (route !== undefined) return routeOf(route);
  const call = { provider: bridge.provider, operation: "CreateRoute", target: destination };
  throw new ProviderError("Invalid", "The answer does not mention the route.", call);
}

async function remove(
  bridge: Bridge,
  { abilities, clusterName, route }: Settings & { readonly route: CloudRoute },
  context: CallContext,
): Promise<void> {
  const { nodeName } = route.target;
  const isNeeded = abilities.needsNodes && nodeName !== undefined;
  const node = isNeeded ? bridge.objects.node(nodeName) : undefined;
  await bridge.change(context, {
    method: Provider.method.deleteRoute,
    target: route.id,
    objects: [node],
    request: (refOf, fence) => ({ fence, clusterName, route: messageOf(route, refOf(node)) }),
    calls: ({ calls }) => calls,
  });
}

function messageOf(
  route: CloudRoute,
  node: RefInit | undefined,
): MessageInitShape<typeof RouteSchema> {
  const { id, table, name, destination, comparesAddresses, blackhole, owner, target } = route;
  const { providerID, nodeName } = target;
  return {
    ...{ id, table, name, destination, comparesAddresses, blackhole },
    target: {
      ...given("providerId", providerID),
      ...given("nodeName", nodeName),
      ...given("node", node),
    },
    targetAddresses: [...route.targetAddresses],
    ...given("owner", owner),
  };
}

function given<Name extends string, Value>(name: Name, value: Value | undefined) {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}

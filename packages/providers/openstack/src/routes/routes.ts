import type {
  CallContext,
  CloudRoute,
  RouteListing,
  RouteSpec,
  Routes,
} from "@cloudwright/provider-api";
import type { OpenStackClient } from "../api/client.ts";
import { RouteChanges } from "./route-changes.ts";
import { type ExtraRoute, extraRouteOf, RouterTable, textOf } from "./router.ts";
import { canonicalAddress, type RouterPort, RouterPorts, serverOf } from "./router-ports.ts";

export interface RoutesOptions {
  readonly client: OpenStackClient;
  /** `[Route] router-id`. */
  readonly routerId: string;
  readonly servers: RouteServers;
}

/** What routes ask of the servers. */
export interface RouteServers {
  /** The UUID of the server that a Node is. Throws ProviderError, `NotFound` when no server of ours is meant. */
  idOf(target: RouteSpec["target"], context: CallContext): Promise<string>;
  /** The provider ID of a server. */
  providerIdOf(serverId: string): string;
}

/**
 * The extra routes of one Neutron router (spec/providers/openstack §5). A route carries no mark: it is ours by the server that
 * its next hop belongs to.
 */
export function createRoutes({ client, routerId, servers }: RoutesOptions): Routes {
  const table = new RouterTable(client, routerId);
  const ports = new RouterPorts(client, routerId);
  const changes = new RouteChanges({ table, ports });
  const targets = new SeenTargets(servers);
  return {
    abilities: { families: ["IPv4", "IPv6"], storesOwner: false },
    list: (context) => list({ table, ports, targets }, context),
    create: async (spec, context) => {
      const serverId = await servers.idOf(spec.target, context);
      const route = await changes.add({ spec, serverId }, context);
      return cloudRouteOf({ routerId, route, providerID: targets.seen(route, serverId) });
    },
    remove: ({ id }, context) => changes.remove(extraRouteOf(id), context),
  };
}

interface Listing {
  readonly table: RouterTable;
  readonly ports: RouterPorts;
  readonly targets: SeenTargets;
}

async function list(
  { table, ports, targets }: Listing,
  context: CallContext,
): Promise<RouteListing> {
  const { id, name, routes, requestId } = await table.read(context);
  const hops = [...new Set(routes.map(({ nexthop }) => canonicalAddress(nexthop)))];
  const holders = hops.length === 0 ? new Map() : await ports.holding(hops, context);
  targets.keepOnly(routes);
  const { capacity } = table;
  return {
    routes: routes.map((route) => {
      const port: RouterPort | undefined = holders.get(canonicalAddress(route.nexthop));
      const providerID = targets.seen(route, port === undefined ? undefined : serverOf(port));
      return cloudRouteOf({ routerId: id, route, providerID, isBlackhole: port === undefined });
    }),
    tables: [{ id, name, used: routes.length, ...(capacity === undefined ? {} : { capacity }) }],
    ...(requestId === undefined ? {} : { requestId }),
  };
}

/** Whose the next hops were when their ports were last seen: all that tells whose the route to a server is that has gone. */
class SeenTargets {
  readonly #servers: RouteServers;
  readonly #byRoute = new Map<string, string>();

  constructor(servers: RouteServers) {
    this.#servers = servers;
  }

  /** The provider ID of the server that the route leads to, or led to. */
  seen(route: ExtraRoute, serverId: string | undefined): string | undefined {
    if (serverId !== undefined)
      this.#byRoute.set(textOf(route), this.#servers.providerIdOf(serverId));
    return this.#byRoute.get(textOf(route));
  }

  keepOnly(routes: readonly ExtraRoute[]): void {
    const present = new Set(routes.map(textOf));
    for (const route of this.#byRoute.keys()) if (!present.has(route)) this.#byRoute.delete(route);
  }
}

interface Seen {
  readonly routerId: string;
  readonly route: ExtraRoute;
  readonly providerID: string | undefined;
  readonly isBlackhole?: boolean;
}

/** Addresses are not compared: a server's next hop is looked for anew where its route does not lead to it. */
function cloudRouteOf({ routerId, route, providerID, isBlackhole = false }: Seen): CloudRoute {
  return {
    id: textOf(route),
    table: routerId,
    name: textOf(route),
    destination: route.destination,
    target: { providerID, nodeName: undefined },
    comparesAddresses: false,
    targetAddresses: [],
    blackhole: isBlackhole,
    owner: undefined,
  };
}

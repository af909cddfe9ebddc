import {
  type CallContext,
  type CloudRoute,
  type Instances,
  instanceKey,
  ProviderError,
  type RouteListing,
  type RouteOwner,
  type RouteSpec,
  type Routes,
} from "@cloudwright/provider-api";
import type { OpenStackClient } from "../api/client.ts";
import type { OpenStackConfig } from "../config/config.ts";
import { PROVIDER } from "../config/invalid-config.ts";
import { parseProviderId, providerIdOf } from "../instances/server.ts";
import { marksIn, ownerOf } from "./marks.ts";
import { RouteChanges } from "./route-changes.ts";
import { type ExtraRoute, extraRouteOf, RouterTable, textOf } from "./router.ts";
import { canonicalAddress, type RouterPort, RouterPorts, serverOf } from "./router-ports.ts";

export interface RoutesOptions {
  readonly client: OpenStackClient;
  readonly config: Pick<OpenStackConfig, "route" | "identity" | "regional">;
  /** Finds the server of a Node that has no provider ID yet. */
  readonly instances: Instances;
}

/** Creates the extra routes of one Neutron router (spec/providers/openstack §5). Tags of the router name the routes' owners. */
export function createRoutes(options: RoutesOptions, routerId: string): Routes {
  const { client, config } = options;
  const table = new RouterTable(client, routerId);
  const ports = new RouterPorts(client, routerId);
  const changes = new RouteChanges({ table, ports });
  const region = config.regional ? config.identity.region : undefined;
  const targets = new SeenTargets((serverId) => providerIdOf(serverId, region));
  return {
    abilities: { families: ["IPv4", "IPv6"], storesOwner: true },
    list: (context) => list({ table, ports, targets }, context),
    create: async (spec, context) => {
      const serverId = await serverOfNode(options.instances, spec.target, context);
      const route = await changes.add({ spec, serverId }, context);
      const { clusterUid, objectUid } = spec.owner;
      const owner = { clusterUid, objectUid };
      return cloudRouteOf({ routerId, route, owner, providerID: targets.seen(route, serverId) });
    },
    remove: ({ id, owner }, context) =>
      changes.remove({ route: extraRouteOf(id), clusterUid: owner?.clusterUid }, context),
  };
}

/** Returns the server's UUID. Throws ProviderError, `NotFound` if it is not a server of ours. */
async function serverOfNode(
  instances: Instances,
  ref: RouteSpec["target"],
  context: CallContext,
): Promise<string> {
  const own = ref.providerID === undefined ? undefined : parseProviderId(ref.providerID);
  if (own?.kind === "server") return own.id;
  const answers = await instances.describe([ref], { mode: "single" }, context);
  const lookup = answers.get(instanceKey(ref));
  if (lookup?.kind === "failed") throw lookup.error;
  const found =
    lookup?.kind === "found" ? parseProviderId(lookup.facts.providerID ?? "") : undefined;
  if (found?.kind === "server") return found.id;
  const described =
    ref.providerID === undefined
      ? `is named ${ref.nodeName}`
      : `has the provider ID ${ref.providerID}`;
  throw new ProviderError(
    "NotFound",
    `None of our servers ${described}, so its route has no target.`,
    { provider: PROVIDER, operation: "server_list", target: ref.nodeName },
  );
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
  const { id, name, routes, tags, requestId } = await table.read(context);
  const marks = marksIn(tags);
  const hops = [...new Set(routes.map(({ nexthop }) => canonicalAddress(nexthop)))];
  const holders = hops.length === 0 ? new Map() : await ports.holding(hops, context);
  targets.keepOnly(routes);
  const { capacity } = table;
  return {
    routes: routes.map((route) => {
      const port: RouterPort | undefined = holders.get(canonicalAddress(route.nexthop));
      const providerID = targets.seen(route, port === undefined ? undefined : serverOf(port));
      const owner = ownerOf(marks, route);
      return cloudRouteOf({
        ...{ routerId: id, route, owner, providerID, isBlackhole: port === undefined },
      });
    }),
    tables: [{ id, name, used: routes.length, ...(capacity === undefined ? {} : { capacity }) }],
    ...(requestId === undefined ? {} : { requestId }),
  };
}

/** The owners of next hops when their ports were last seen, for routes whose server is gone. */
class SeenTargets {
  readonly #providerIdOf: (serverId: string) => string;
  readonly #byRoute = new Map<string, string>();

  constructor(providerIdOf: (serverId: string) => string) {
    this.#providerIdOf = providerIdOf;
  }

  /** Returns the provider ID of the server that the route leads to, or led to. */
  seen(route: ExtraRoute, serverId: string | undefined): string | undefined {
    if (serverId !== undefined) this.#byRoute.set(textOf(route), this.#providerIdOf(serverId));
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
  readonly owner: RouteOwner | undefined;
  readonly providerID: string | undefined;
  readonly isBlackhole?: boolean;
}

/** Addresses are not compared: a server's next hop is determined again if its route does not lead to it. */
function cloudRouteOf({
  routerId,
  route,
  owner,
  providerID,
  isBlackhole = false,
}: Seen): CloudRoute {
  return {
    id: textOf(route),
    table: routerId,
    name: textOf(route),
    destination: route.destination,
    target: { providerID, nodeName: undefined },
    comparesAddresses: false,
    targetAddresses: [],
    blackhole: isBlackhole,
    owner,
  };
}

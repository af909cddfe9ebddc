import { isIP } from "node:net";
import { ProviderError, type RouteSpec } from "@cloudwright/provider-api";
import { PROVIDER } from "../config/invalid-config.ts";
import { isSameOwner, marksIn, ownerOf } from "./marks.ts";
import { type ExtraRoute, type Router, textOf } from "./router.ts";
import { canonicalAddress, canonicalRange, type RouterPort } from "./router-ports.ts";

/** A desired route to a server. */
export interface RouteToServer {
  readonly spec: RouteSpec;
  readonly serverId: string;
}

export interface Addition extends RouteToServer {
  readonly kind: "planned";
  readonly route: ExtraRoute;
  readonly port: RouterPort;
  /** Whether the table has it. */
  readonly isThere: boolean;
  /** Whether the router's tags name this owner. */
  readonly isMarked: boolean;
}

export interface Failed {
  readonly kind: "failed";
  readonly error: unknown;
}

/** What exists around one addition. */
export interface Surroundings extends Pick<Router, "routes" | "tags"> {
  /** The server's ports on the router's networks. */
  readonly ports: readonly RouterPort[];
}

/** Plans one route without any I/O: a destination that leads elsewhere, or belongs to another owner, is not taken. */
export function planAddition(
  { spec, serverId }: RouteToServer,
  { routes, tags, ports }: Surroundings,
): Addition | Failed {
  const { destination, target } = spec;
  const version = isIP(destination.split("/")[0] ?? "");
  const hop = nextHop(spec, version, ports);
  if (hop === undefined) return { kind: "failed", error: noAddress(target.nodeName, version) };
  const same = routes.filter(
    (route) => canonicalRange(route.destination) === canonicalRange(destination),
  );
  const own = same.find(
    ({ nexthop }) => canonicalAddress(nexthop) === canonicalAddress(hop.address),
  );
  const other = same.find((route) => route !== own);
  if (other !== undefined) return { kind: "failed", error: taken(other) };
  const route = own ?? { destination, nexthop: hop.address };
  const owner = ownerOf(marksIn(tags), route);
  const isMarked = owner !== undefined && isSameOwner(owner, spec.owner);
  if (own !== undefined && owner !== undefined && !isMarked)
    return { kind: "failed", error: taken(own) };
  return {
    ...{ kind: "planned", spec, serverId, route, port: hop.port },
    ...{ isThere: own !== undefined, isMarked },
  };
}

/** Returns the Node's first InternalIP of the family that belongs to a port of its server; else the server's first address there. */
function nextHop(
  { targetAddresses }: RouteSpec,
  version: number,
  ports: readonly RouterPort[],
): { readonly address: string; readonly port: RouterPort } | undefined {
  const hops = ports.flatMap((port) =>
    (port.fixed_ips ?? [])
      .filter(({ ip_address }) => isIP(ip_address) === version)
      .map(({ ip_address }) => ({ address: ip_address, port })),
  );
  const internal = targetAddresses.filter(({ type }) => type === "InternalIP");
  const wanted = internal.map(({ address }) => canonicalAddress(address));
  const preferred = wanted.flatMap((address) =>
    hops.filter((hop) => canonicalAddress(hop.address) === address),
  );
  return preferred[0] ?? hops[0];
}

function noAddress(node: string, version: number): ProviderError {
  return new ProviderError(
    "NotFound",
    `The server of ${node} has no IPv${version} address on a network of the router; attach it to one, or have the router attached to the server's.`,
    { provider: PROVIDER, operation: "port_list", target: node },
  );
}

function taken(other: ExtraRoute): ProviderError {
  return new ProviderError(
    "Conflict",
    `The router already has a route to ${other.destination} via ${other.nexthop}; remove that route if it is not needed.`,
    { provider: PROVIDER, operation: "router_get", target: textOf(other) },
  );
}

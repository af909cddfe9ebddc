import { isIP } from "node:net";
import {
  type CallContext,
  isProviderError,
  ProviderError,
  type RouteSpec,
} from "@cloudwright/provider-api";
import { isNotFound } from "../api/errors.ts";
import { PROVIDER } from "../config/invalid-config.ts";
import { Batches, type Outcome } from "./batches.ts";
import { type ExtraRoute, type RouterTable, textOf } from "./router.ts";
import {
  canonicalAddress,
  canonicalRange,
  type RouterPort,
  type RouterPorts,
} from "./router-ports.ts";

/** A route that is to be, to a server. */
export interface RouteToServer {
  readonly spec: Pick<RouteSpec, "destination" | "target" | "targetAddresses">;
  readonly serverId: string;
}

type Change =
  | ({ readonly kind: "add" } & RouteToServer)
  | { readonly kind: "remove"; readonly route: ExtraRoute };

type Settled = Outcome<ExtraRoute>;

/**
 * Adds and removes routes of one router with as few calls as it takes. The port of the next hop is opened for the range before
 * the route leads there, and closed before the route goes: whatever stops us in between, the next look finds a route that is
 * missing, or one that is still to be removed, and does the rest.
 */
export class RouteChanges {
  readonly #table: RouterTable;
  readonly #ports: RouterPorts;
  readonly #batches: Batches<Change, ExtraRoute>;

  constructor({ table, ports }: { readonly table: RouterTable; readonly ports: RouterPorts }) {
    this.#table = table;
    this.#ports = ports;
    this.#batches = new Batches<Change, ExtraRoute>(
      (changes, context) => this.#apply(changes, context),
      (left, right) => left.kind === right.kind,
    );
  }

  /** Answers the route as the table has it. Throws ProviderError: `Conflict` where the destination is taken, `NotFound` without a port. */
  add(route: RouteToServer, context: CallContext): Promise<ExtraRoute> {
    return this.#batches.join({ kind: "add", ...route }, context);
  }

  async remove(route: ExtraRoute, context: CallContext): Promise<void> {
    await this.#batches.join({ kind: "remove", route }, context);
  }

  async #apply(changes: readonly Change[], context: CallContext): Promise<readonly Settled[]> {
    const adds = changes.filter((change) => change.kind === "add");
    const removals = changes.filter((change) => change.kind === "remove");
    return adds.length > 0
      ? this.#addAll(adds, context)
      : this.#removeAll(
          removals.map(({ route }) => route),
          context,
        );
  }

  async #addAll(
    wanted: readonly RouteToServer[],
    context: CallContext,
  ): Promise<readonly Settled[]> {
    const { routes } = await this.#table.read(context);
    const servers = [...new Set(wanted.map(({ serverId }) => serverId))];
    const ports = await this.#ports.ofServers(servers, context);
    const planned = wanted.map((one) =>
      planAddition(one, { routes, ports: ports.get(one.serverId) ?? [] }),
    );
    const ready = await Promise.all(planned.map((one) => this.#open(one, context)));
    const missing = ready.flatMap((one) => (one.kind === "ready" && !one.isThere ? [one] : []));
    const added = await this.#insert(missing, context);
    return ready.map((one): Settled => {
      if (one.kind === "failed") return one;
      return added.get(one) ?? { kind: "done", result: one.route };
    });
  }

  async #open(planned: Planned, context: CallContext): Promise<Opened> {
    if (planned.kind === "failed") return planned;
    try {
      const { port, route } = planned;
      return {
        ...planned,
        kind: "ready",
        opened: await this.#ports.allow(port, route.destination, context),
      };
    } catch (error) {
      return { kind: "failed", error };
    }
  }

  /** All at once; where the router refuses them together, each by itself, so that one does not hold the others up. */
  async #insert(
    ready: readonly Ready[],
    context: CallContext,
  ): Promise<ReadonlyMap<Ready, Settled>> {
    if (ready.length === 0) return new Map();
    try {
      await this.#table.change(
        "add_extraroutes",
        ready.map(({ route }) => route),
        context,
      );
      return new Map(ready.map((one) => [one, { kind: "done", result: one.route }]));
    } catch (error) {
      if (ready.length > 1 && isRefusalOfOne(error)) return this.#insertEach(ready, context);
      for (const one of ready) await this.#undo(one, error, context);
      return new Map(ready.map((one) => [one, { kind: "failed", error }]));
    }
  }

  async #insertEach(
    ready: readonly Ready[],
    context: CallContext,
  ): Promise<ReadonlyMap<Ready, Settled>> {
    const settled = new Map<Ready, Settled>();
    for (const one of ready)
      for (const entry of await this.#insert([one], context)) settled.set(...entry);
    return settled;
  }

  /** A port that was opened for a route that is surely not there is closed again; where that fails, a later route finds it open. */
  async #undo({ opened, route }: Ready, error: unknown, context: CallContext): Promise<void> {
    if (opened === undefined || !isProviderError(error) || error.call.mayBeDone === true) return;
    try {
      await this.#ports.disallow(opened, route.destination, context);
    } catch (second) {
      if (!isProviderError(second)) throw second;
    }
  }

  async #removeAll(
    routes: readonly ExtraRoute[],
    context: CallContext,
  ): Promise<readonly Settled[]> {
    const hops = [...new Set(routes.map(({ nexthop }) => canonicalAddress(nexthop)))];
    const ports = await this.#ports.holding(hops, context);
    await Promise.all(
      routes.map(async ({ destination, nexthop }) => {
        const port = ports.get(canonicalAddress(nexthop));
        if (port !== undefined) await this.#ports.disallow(port, destination, context);
      }),
    );
    try {
      await this.#table.change("remove_extraroutes", routes, context);
    } catch (error) {
      // With the router its routes have gone.
      if (!isNotFound(error)) throw error;
    }
    return routes.map((result) => ({ kind: "done", result }));
  }
}

interface Addition {
  readonly kind: "planned";
  readonly route: ExtraRoute;
  readonly port: RouterPort;
  /** Whether the table has it. */
  readonly isThere: boolean;
}

type Failed = { readonly kind: "failed"; readonly error: unknown };
type Planned = Addition | Failed;
type Ready = Omit<Addition, "kind"> & {
  readonly kind: "ready";
  readonly opened: RouterPort | undefined;
};
type Opened = Ready | Failed;

/** What is there for one addition. */
interface Surroundings {
  readonly routes: readonly ExtraRoute[];
  /** Of the server, on the router's networks. */
  readonly ports: readonly RouterPort[];
}

/** Pure. */
export function planAddition({ spec }: RouteToServer, { routes, ports }: Surroundings): Planned {
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
  return { kind: "planned", route, port: hop.port, isThere: own !== undefined };
}

/** The Node's first InternalIP of the family that a port of its server has; else the server's first address there. */
function nextHop(
  { targetAddresses }: RouteToServer["spec"],
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
    `The router leads ${other.destination} to ${other.nexthop} already; remove that route if nobody needs it.`,
    { provider: PROVIDER, operation: "router_get", target: textOf(other) },
  );
}

/** Whether it may be about one of several routes alone. */
function isRefusalOfOne(error: unknown): boolean {
  return isProviderError(error) && (error.code === "Invalid" || error.code === "QuotaExceeded");
}

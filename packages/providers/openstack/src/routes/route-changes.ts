import { type CallContext, isProviderError } from "@cloudwright/provider-api";
import { isNotFound } from "../api/errors.ts";
import { Batches, type Outcome } from "./batches.ts";
import { looseMarks, tagOf } from "./marks.ts";
import { type Addition, type Failed, planAddition, type RouteToServer } from "./plan-addition.ts";
import type { ExtraRoute, Router, RouterTable } from "./router.ts";
import { canonicalAddress, type RouterPort, type RouterPorts } from "./router-ports.ts";

interface Removal {
  readonly route: ExtraRoute;
  /** The owner according to its mark. */
  readonly clusterUid: string | undefined;
}

type Change = ({ readonly kind: "add" } & RouteToServer) | ({ readonly kind: "remove" } & Removal);

type Settled = Outcome<ExtraRoute>;

/**
 * Adds and removes routes of one router with as few calls as possible. A route's mark is added before it and removed after it, so
 * that no route in the table lacks an owner; the port of the next hop is opened for the range before the route is added, and
 * closed before the route is removed. Wherever this is interrupted, the next observation finds a route that is missing or still
 * has to be removed, and completes the work.
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

  /** Returns the route as it is in the table. Throws ProviderError: `Conflict` if the destination is taken, `NotFound` without a port. */
  add(route: RouteToServer, context: CallContext): Promise<ExtraRoute> {
    return this.#batches.join({ kind: "add", ...route }, context);
  }

  async remove(removal: Removal, context: CallContext): Promise<void> {
    await this.#batches.join({ kind: "remove", ...removal }, context);
  }

  async #apply(changes: readonly Change[], context: CallContext): Promise<readonly Settled[]> {
    const adds = changes.filter((change) => change.kind === "add");
    const removals = changes.filter((change) => change.kind === "remove");
    return adds.length > 0 ? this.#addAll(adds, context) : this.#removeAll(removals, context);
  }

  async #addAll(
    wanted: readonly RouteToServer[],
    context: CallContext,
  ): Promise<readonly Settled[]> {
    const { routes, tags } = await this.#table.read(context);
    const servers = [...new Set(wanted.map(({ serverId }) => serverId))];
    const ports = await this.#ports.ofServers(servers, context);
    const planned = wanted.map((one) =>
      planAddition(one, { routes, tags, ports: ports.get(one.serverId) ?? [] }),
    );
    const opening: Promise<Ready | Failed>[] = [];
    // Neutron's database refuses a tag while it is writing another of the same router; the ports are opened meanwhile.
    for (const one of planned) opening.push(this.#open(await this.#mark(one, context), context));
    const ready = await Promise.all(opening);
    const missing = ready.flatMap((one) => (one.kind === "ready" && !one.isThere ? [one] : []));
    const added = await this.#insert(missing, context);
    return ready.map((one): Settled => {
      if (one.kind === "failed") return one;
      return added.get(one) ?? { kind: "done", result: one.route };
    });
  }

  async #mark(planned: Addition | Failed, context: CallContext): Promise<Addition | Failed> {
    if (planned.kind === "failed" || planned.isMarked) return planned;
    try {
      await this.#table.tag(tagOf(planned.route, planned.spec.owner), context);
      return planned;
    } catch (error) {
      return { kind: "failed", error };
    }
  }

  async #open(planned: Addition | Failed, context: CallContext): Promise<Ready | Failed> {
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

  /** Adds all at once; if the router refuses them together, adds each separately, so that one does not block the others. */
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

  /** Undoes what was done for a route that is certainly not in the table; if that fails, a later change does it. */
  async #undo(ready: Ready, error: unknown, context: CallContext): Promise<void> {
    const { opened, route, spec } = ready;
    if (!isProviderError(error) || error.call.mayBeDone === true) return;
    try {
      if (opened !== undefined) await this.#ports.disallow(opened, route.destination, context);
      await this.#table.untag(tagOf(route, spec.owner), context);
    } catch (second) {
      if (!isProviderError(second)) throw second;
    }
  }

  async #removeAll(
    removals: readonly Removal[],
    context: CallContext,
  ): Promise<readonly Settled[]> {
    const routes = removals.map(({ route }) => route);
    const hops = [...new Set(routes.map(({ nexthop }) => canonicalAddress(nexthop)))];
    const ports = await this.#ports.holding(hops, context);
    await Promise.all(
      routes.map(async ({ destination, nexthop }) => {
        const port = ports.get(canonicalAddress(nexthop));
        if (port !== undefined) await this.#ports.disallow(port, destination, context);
      }),
    );
    try {
      const router = await this.#table.change("remove_extraroutes", routes, context);
      for (const cluster of new Set(removals.map(({ clusterUid }) => clusterUid)))
        if (cluster !== undefined) await this.#unmark(router, cluster, context);
    } catch (error) {
      // The routes are deleted with their router.
      if (!isNotFound(error)) throw error;
    }
    return routes.map((result) => ({ kind: "done", result }));
  }

  /** Removes the marks that earlier changes have left behind as well. */
  async #unmark(router: Router, clusterUid: string, context: CallContext): Promise<void> {
    for (const { tag } of looseMarks(router, clusterUid)) await this.#table.untag(tag, context);
  }
}

type Ready = Omit<Addition, "kind"> & {
  readonly kind: "ready";
  readonly opened: RouterPort | undefined;
};

/** Reports whether the refusal may concern only one of several routes. */
function isRefusalOfOne(error: unknown): boolean {
  return isProviderError(error) && (error.code === "Invalid" || error.code === "QuotaExceeded");
}

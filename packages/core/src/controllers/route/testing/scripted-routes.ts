import {
  type CallContext,
  type CloudRoute,
  ProviderError,
  type ProviderErrorCode,
  type RouteAbilities,
  type RouteListing,
  type RouteOwner,
  type RouteSpec,
  type Routes,
} from "@cloudwright/provider-api";

export const CLUSTER_UID = "cluster-1";

export interface RouteShape {
  readonly id?: string;
  readonly destination: string;
  /** Provider ID of the machine; if absent, the route leads nowhere. */
  readonly to?: string;
  readonly toName?: string;
  readonly blackhole?: boolean;
  /** `ours` carries this cluster's mark for the Node of this name, `theirs` another cluster's; absent: no mark. */
  readonly mark?: { readonly ours: string } | "theirs";
  /** The addresses that it compares; if absent, it compares none. */
  readonly addresses?: CloudRoute["targetAddresses"];
}

export function cloudRoute(shape: RouteShape): CloudRoute {
  const { destination, to, toName, addresses } = shape;
  return {
    id: shape.id ?? `r-${destination}`,
    table: "t1",
    name: `route to ${destination}`,
    destination,
    target: { providerID: to, nodeName: toName },
    comparesAddresses: addresses !== undefined,
    targetAddresses: addresses ?? [],
    blackhole: shape.blackhole ?? false,
    owner: ownerOf(shape.mark),
  };
}

function ownerOfNode(name: string): RouteOwner {
  return { clusterUid: CLUSTER_UID, objectUid: `uid-${name}`, node: name };
}

function ownerOf(mark: RouteShape["mark"]): RouteOwner | undefined {
  if (mark === undefined) return undefined;
  if (mark === "theirs") return { clusterUid: "cluster-2", objectUid: "u-2", clusterName: "other" };
  return ownerOfNode(mark.ours);
}

/** A route table in memory with one route per destination, which fails as the test demands. */
export class ScriptedRoutes implements Routes {
  readonly abilities: RouteAbilities;
  readonly cloud = new Map<string, CloudRoute>();
  readonly calls: string[] = [];
  capacity: number = 1_000;
  /** Called before a call does its work, which it can delay or fail; may be replaced. */
  onCall: (operation: string, what: string) => Promise<void> = () => Promise.resolve();
  #ids = 0;

  constructor(storesOwner = true) {
    this.abilities = { families: ["IPv4", "IPv6"], storesOwner };
  }

  put(...shapes: readonly RouteShape[]): void {
    for (const shape of shapes) {
      const route = cloudRoute(shape);
      this.cloud.set(route.id, route);
    }
  }

  /** Returns entries such as `10.0.1.0/24 → p://n1`, ordered by destination. */
  get table(): readonly string[] {
    return [...this.cloud.values()]
      .map(({ destination, target }) => `${destination} → ${target.providerID ?? "nowhere"}`)
      .toSorted((left, right) => (left < right ? -1 : 1));
  }

  list(context: CallContext): Promise<RouteListing> {
    return this.#call(context, ["GET", "routes"], () => {
      const routes = [...this.cloud.values()].map((route) => ({ ...route }));
      const table = { id: "t1", name: "main", used: routes.length, capacity: this.capacity };
      return { routes, tables: [table] };
    });
  }

  create(action: RouteSpec, context: CallContext): Promise<CloudRoute> {
    const { destination, target, owner: mark, targetAddresses } = action;
    return this.#call(context, ["POST", destination], () => {
      const taken = [...this.cloud.values()].some((one) => one.destination === destination);
      if (taken) throw refusal("Conflict", `The destination ${destination} is taken.`);
      if (this.cloud.size >= this.capacity) throw refusal("QuotaExceeded", "The table is full.");
      this.#ids += 1;
      const { providerID = `p://${target.nodeName}` } = target;
      const made: CloudRoute = {
        ...cloudRoute({ id: `r-${this.#ids}`, destination, to: providerID }),
        targetAddresses,
        owner: this.abilities.storesOwner ? mark : undefined,
      };
      this.cloud.set(made.id, made);
      return made;
    });
  }

  async remove({ id, destination }: CloudRoute, context: CallContext): Promise<void> {
    await this.#call(context, ["DELETE", destination], () => this.cloud.delete(id));
  }

  #call<T>(
    context: CallContext,
    [operation, what]: readonly [string, string],
    work: () => T,
  ): Promise<T> {
    const description = {
      operation: `${operation} routes`,
      target: what,
      mutates: operation !== "GET",
    };
    return context.call(description, async () => {
      this.calls.push(`${operation} ${what}`);
      await this.onCall(operation, what);
      return { value: work(), status: 200 };
    });
  }
}

export function refusal(code: ProviderErrorCode, message: string): ProviderError {
  return new ProviderError(code, message, { provider: "p", operation: "POST routes", status: 409 });
}

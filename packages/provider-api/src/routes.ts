import type { CallContext } from "./call-context.ts";
import type { NodeAddress } from "./instances.ts";
import type { IpFamily, OwnerIdentity } from "./load-balancers.ts";

/** The route tables of a cloud (spec/40, spec/60 §5 and §8). */
export interface Routes {
  readonly abilities: RouteAbilities;
  /**
   * Returns every route of every table that this cluster's machines use: ours, other clusters' and those that a user made. Only then can a
   * taken destination be explained. Throws ProviderError.
   */
  list(context: CallContext): Promise<RouteListing>;
  /**
   * Creates a route and returns it. If a route with the same destination already carries the same owner, returns that one: repeated after a
   * lost answer, it creates no second. Throws ProviderError: `Conflict` when the destination is taken, `QuotaExceeded` when the table is
   * full, `NotFound` when the cloud does not know the target.
   */
  create(spec: RouteSpec, context: CallContext): Promise<CloudRoute>;
  /** Removes a listed route; succeeds also when the route or its target is already gone. Throws ProviderError. */
  remove(route: CloudRoute, context: CallContext): Promise<void>;
}

export interface RouteAbilities {
  readonly families: readonly IpFamily[];
  /** Whether routes carry their owner; if not, only the next hop shows that a route is ours. */
  readonly storesOwner: boolean;
}

export interface RouteListing {
  readonly routes: readonly CloudRoute[];
  readonly tables: readonly RouteTable[];
  readonly requestId?: string;
}

export interface RouteTable {
  readonly id: string;
  readonly name: string;
  /** Number of routes in the table, whoever owns them. */
  readonly used: number;
  /** Most routes that the table can hold, if the cloud reports it. */
  readonly capacity?: number;
}

export interface CloudRoute {
  readonly id: string;
  /** The `id` of its table. */
  readonly table: string;
  readonly name: string;
  /** As the cloud spells it; compared in canonical form. */
  readonly destination: string;
  readonly target: RouteTarget;
  /** Whether the target's addresses must equal the node's (upstream's enableNodeAddresses), decided per route. */
  readonly comparesAddresses: boolean;
  readonly targetAddresses: readonly NodeAddress[];
  /** Whether the target no longer exists. */
  readonly blackhole: boolean;
  readonly owner: RouteOwner | undefined;
}

/** The target of a route; both fields are undefined when it leads nowhere. */
export interface RouteTarget {
  readonly providerID: string | undefined;
  /** The name of the machine's Node: where the cloud has no IDs, or for Nodes that have no provider ID yet. */
  readonly nodeName: string | undefined;
}

/** The owner of a route; `objectUid` is the Node's UID. */
export interface RouteOwner extends OwnerIdentity {
  /** The name of the owner's cluster, for people to read. */
  readonly clusterName?: string;
  /** The name of the Node, as stored with the owner. */
  readonly node?: string;
}

/** A desired route. */
export interface RouteSpec {
  readonly owner: RouteOwner;
  /** Canonical CIDR. */
  readonly destination: string;
  /** The machine, found by provider ID, else by the Node's name. */
  readonly target: { readonly nodeName: string; readonly providerID: string | undefined };
  readonly targetAddresses: readonly NodeAddress[];
}

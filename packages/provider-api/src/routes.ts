import type { CallContext } from "./call-context.ts";
import type { NodeAddress } from "./instances.ts";
import type { IpFamily, OwnerIdentity } from "./load-balancers.ts";

/** The route tables of a cloud (spec/40, spec/60 §5 and §8). */
export interface Routes {
  readonly abilities: RouteAbilities;
  /**
   * Every route of every table that this cluster's machines use: ours, other clusters' and those that a user made, as
   * only then a taken destination can be explained. Throws ProviderError.
   */
  list(context: CallContext): Promise<RouteListing>;
  /**
   * Makes one and answers it. Where the same destination has our mark for the same owner already, that one is the
   * answer: repeated after a lost answer it makes no second. Throws ProviderError: `Conflict` when the destination is
   * taken, `QuotaExceeded` when the table is full, `NotFound` when the cloud does not know the target.
   */
  create(spec: RouteSpec, context: CallContext): Promise<CloudRoute>;
  /** Removes one of a listing; succeeds when it is gone already, and when its target is. Throws ProviderError. */
  remove(route: CloudRoute, context: CallContext): Promise<void>;
}

export interface RouteAbilities {
  readonly families: readonly IpFamily[];
  /** Whether routes carry marks; without them a route is ours by the next hop alone. */
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
  /** Routes that it holds, of whomever. */
  readonly used: number;
  /** How many it may hold, if the cloud says. */
  readonly capacity?: number;
}

export interface CloudRoute {
  readonly id: string;
  /** The `id` of its table. */
  readonly table: string;
  readonly name: string;
  /** As the cloud writes it; compared after both are canonical. */
  readonly destination: string;
  readonly target: RouteTarget;
  /** Whether the target's addresses must be the node's (upstream's enableNodeAddresses), judged route by route. */
  readonly comparesAddresses: boolean;
  readonly targetAddresses: readonly NodeAddress[];
  /** Whether its target is gone. */
  readonly blackhole: boolean;
  readonly owner: RouteOwner | undefined;
}

/** What a route leads to; both undefined when it leads nowhere. */
export interface RouteTarget {
  readonly providerID: string | undefined;
  /** The name of the Node that has this machine: where the cloud has no IDs, or for Nodes that have no provider ID yet. */
  readonly nodeName: string | undefined;
}

/** Whose route it is: the Node's UID is the mark's `objectUid`. */
export interface RouteOwner extends OwnerIdentity {
  /** The name of the owner's cluster in the mark, for users to read. */
  readonly clusterName?: string;
  /** The name of the Node in the mark. */
  readonly node?: string;
}

/** A route that is to be. */
export interface RouteSpec {
  readonly owner: RouteOwner;
  /** Canonical CIDR. */
  readonly destination: string;
  /** The machine: found by provider ID, else by the Node's name. */
  readonly target: { readonly nodeName: string; readonly providerID: string | undefined };
  readonly targetAddresses: readonly NodeAddress[];
}

import type { CallContext } from "./call-context.ts";
import type { ProviderError } from "./errors.ts";
import type { NodeAddress } from "./instances.ts";
import type { Json } from "./json.ts";

/** The owner that every cloud resource we create carries, so that orphans are found and foreign resources never touched. */
export interface OwnerIdentity {
  /** UID of the namespace kube-system. */
  readonly clusterUid: string;
  /** The Service's UID. */
  readonly objectUid: string;
}

/**
 * Declarative load balancers: the framework supplies the spec; the provider observes, plans without I/O, and applies (DESIGN.md "Provider",
 * spec/60 §4 and §8). `Observed` is the provider's own view of the current state; it must be plain data. Wrap a provider that only knows
 * "ensure" with `wrapEnsureStyle`.
 */
export interface LoadBalancers<Observed = unknown> {
  readonly abilities: LoadBalancerAbilities;
  /**
   * Observes the load balancers of these owners; one listing may serve them all. Every owner has an answer under its `objectUid`. An owner
   * without a load balancer gets an observation that says so, never a failure. One bad owner never fails the others. When no load balancer
   * carries the owner, it must also find those with the owner's name (ours and upstream's) and those at one of its `published` addresses:
   * `plan` lists them as candidates and refuses to touch them without consent or proof. Throws only when the signal aborts.
   */
  observe(
    owners: readonly LoadBalancerOwner[],
    context: CallContext,
  ): Promise<ReadonlyMap<string, LoadBalancerObservation<Observed>>>;
  /**
   * Returns the changes from the observed state to the desired one. Pure: the same input gives the same answer. Returns a promise when
   * another process makes the plan; it rejects with ProviderError.
   */
  plan(input: LoadBalancerPlanInput<Observed>): LoadBalancerPlan | Promise<LoadBalancerPlan>;
  /**
   * Makes one change and returns the resulting state if the cloud's answer shows it; undefined makes the framework observe again. Repeated
   * after a lost answer, it must not create a second load balancer. Throws ProviderError; `Invalid` with `call.member` names the one member
   * that the cloud rejects.
   */
  apply(change: CloudChange, context: CallContext): Promise<Observed | undefined>;
  /**
   * Returns the name that upstream's provider for this cloud gives this owner's load balancer (its GetLoadBalancerName, spec/60 §4). It is
   * one of the two proofs that an unowned load balancer is the Service's own. Absent: `upstreamLoadBalancerName`. Pure.
   */
  upstreamName?(owner: LoadBalancerOwner): string;
  /** Returns all load balancers that carry this cluster's UID, to find orphans. Throws ProviderError. */
  owned(clusterUid: string, context: CallContext): Promise<readonly OwnedLoadBalancer[]>;
}

/** Identifies a Service's load balancer: by the owner it carries, or by its name where the cloud cannot store owners. */
export interface LoadBalancerOwner extends OwnerIdentity {
  readonly namespace: string;
  readonly name: string;
  /** `--cluster-name`; for people to read, never an identity. */
  readonly clusterName: string;
  /** The Service's `spec.loadBalancerClass`; stored beside the owner, but not part of its identity. Absent: the Service has none. */
  readonly loadBalancerClass?: string;
  /**
   * IPs and hostnames that the Service's status publishes and that are not known to belong to a load balancer that carries this owner.
   * `observe` looks for load balancers at them. Absent: none.
   */
  readonly published?: readonly string[];
  /**
   * The Service's annotations that the provider reads (`annotationPrefixes`), so that `observe` finds the resources they name and a removal
   * knows their last values. Absent: none, or the Service is no longer known.
   */
  readonly annotations?: Readonly<Record<string, string>>;
}

export type LoadBalancerObservation<Observed> =
  | { readonly kind: "known"; readonly observed: Observed; readonly requestId?: string }
  | { readonly kind: "failed"; readonly error: ProviderError };

/** The abilities of a provider's load balancers; a Service that asks for more is refused before any call. */
export interface LoadBalancerAbilities {
  readonly protocols: readonly Protocol[];
  /** Whether one load balancer may have listeners of several protocols. */
  readonly mixedProtocols: boolean;
  readonly families: readonly IpFamily[];
  readonly affinity: boolean;
  readonly sourceRanges: boolean;
  /** Whether it honours the Service's `loadBalancerIP`. */
  readonly requestedAddress: boolean;
  /**
   * Whether the cloud stores the owner beside the name. Absent: it does. False: the name identifies the owner, so that every load balancer
   * with our name counts as ours, whether we or upstream made it.
   */
  readonly storesOwner?: boolean;
  /**
   * Whether it reaches pods directly, without a node port: the spec of a Service with `allocateLoadBalancerNodePorts: false` then has
   * `targets: "pods"`. Absent: no, and such a Service is refused.
   */
  readonly podTargets?: boolean;
  /**
   * Whether it serves a Service with `allocateLoadBalancerNodePorts: false` without members, for something else to fill in. Absent: no, and
   * such a Service is refused.
   */
  readonly withoutNodePorts?: boolean;
  /** Whether it selects members by the labels of their Nodes, which the members then carry. Absent: no. */
  readonly nodeLabels?: boolean;
  /**
   * How many changes, to any load balancers, may be in flight at the same time unless the operator sets a number: for a provider whose
   * changes read and write something that several load balancers share. Absent: as many as the controller makes.
   */
  readonly changesAtOnce?: number;
  /**
   * How long one change may take, milliseconds, for a provider that waits for the cloud within a change; a run that makes one gets that
   * much more time. Absent: no longer than any other call.
   */
  readonly changeTimeoutMs?: number;
  /** Prefixes of the Service annotations that it reads; it ignores changes of all others. */
  readonly annotationPrefixes: readonly string[];
  /** Fields of the cloud that are not compared, such as defaults that the cloud fills in; shown on the page. */
  readonly ignoredFields: readonly string[];
  /** What this provider cannot observe, as one sentence for the page. Absent: nothing is missing. */
  readonly unseen?: string;
}

export type Protocol = "TCP" | "UDP" | "SCTP";
export type IpFamily = "IPv4" | "IPv6";

/** The load balancer that a Service and its nodes ask for, normalised: equal requirements are equal values. */
export interface LoadBalancerSpec {
  readonly owner: LoadBalancerOwner;
  readonly internal: boolean;
  readonly listeners: readonly LoadBalancerListener[];
  /**
   * Where traffic goes. `pods`: to each listener's `targetPort`, bypassing the nodes; the EndpointSlices of the owner's name list the pods.
   * Only for a provider with the ability `podTargets`. Absent: to the members' node ports.
   */
  readonly targets?: "pods";
  readonly members: readonly LoadBalancerMember[];
  /** CIDRs in canonical form, sorted; never empty: `0.0.0.0/0` (and `::/0`) allows everybody. */
  readonly sourceRanges: readonly string[];
  /**
   * Checks the node port of the first listener, or `healthCheckNodePort` (spec/60 §4). When `targets` is `pods`: the target port of the
   * first listener, or 0 if that is a name.
   */
  readonly healthCheck: {
    readonly protocol: "TCP" | "HTTP";
    readonly port: number;
    readonly path?: string;
  };
  readonly affinity:
    | { readonly kind: "none" }
    | { readonly kind: "clientIP"; readonly timeoutSeconds: number };
  /** The Service's primary family first. */
  readonly families: readonly IpFamily[];
  readonly requestedAddress?: string;
  /** The provider's own annotations (`annotationPrefixes`), unchanged. */
  readonly annotations: Readonly<Record<string, string>>;
}

export interface LoadBalancerListener {
  /** The port's name, "" if it has none. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly port: number;
  /** 0 if the Service has none. */
  readonly nodePort: number;
  /** The pods' port, by number or by the name in their containers; present when `targets` is `pods`. */
  readonly targetPort?: number | string;
  readonly appProtocol?: string;
}

export interface LoadBalancerMember {
  readonly nodeName: string;
  readonly providerID: string;
  readonly addresses: readonly NodeAddress[];
  /** The Node's labels; present for a provider with the ability `nodeLabels`. */
  readonly labels?: Readonly<Record<string, string>>;
}

export interface LoadBalancerPlanInput<Observed> {
  readonly owner: LoadBalancerOwner;
  /** Undefined asks to remove everything that carries this owner. */
  readonly spec: LoadBalancerSpec | undefined;
  readonly observed: Observed;
  /** The addresses in the Service's status: of several load balancers that carry the owner, the one with such an address is kept. */
  readonly published: LoadBalancerStatus;
  /** Whether to write everything again, even what is in sync (a user's action). */
  readonly everything?: boolean;
  /** The id of an unowned load balancer that an admin allowed us to adopt, provided that it serves nobody else. */
  readonly consent?: string;
  /**
   * The id of the candidate that is proven to be the Service's own, by upstream's name and the published address: it is adopted as it is,
   * and anything on it that the Service does not ask for is a difference like any other.
   */
  readonly proven?: string;
}

export interface LoadBalancerPlan {
  /** Applied in order, one after the other; then planned again until there are none. */
  readonly changes: readonly CloudChange[];
  readonly next: LoadBalancerNext;
  /** The addresses of the load balancer; undefined while it has none. */
  readonly status: LoadBalancerStatus | undefined;
  /** Undefined when there is no load balancer. */
  readonly actual: LoadBalancerFacts | undefined;
  /** Desired and actual values in words, equal ones included; the members are listed separately. */
  readonly aspects: readonly LoadBalancerAspect[];
  /** The members that the cloud has, by provider ID, with their health if the cloud reports it. */
  readonly members: Readonly<Record<string, { readonly health?: string }>>;
  /**
   * Load balancers that have one of the owner's names or published addresses without carrying the owner, including those that this plan
   * adopts or removes by consent or proof. Listed also when `spec` is undefined. Absent: none.
   */
  readonly candidates?: readonly LoadBalancerCandidate[];
  /** Further notices for the Service's user: each becomes an Event of the Service, once while it holds. Absent: none. */
  readonly notices?: readonly LoadBalancerNotice[];
  /** Annotations to set on the Service, as upstream's provider does; others are kept. Absent: none. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Something that a provider does differently from what the Service asks, or could not read, as the text of an Event. */
export interface LoadBalancerNotice {
  readonly type: "Normal" | "Warning";
  /** The Event's reason, in CamelCase. */
  readonly reason: string;
  /** One sentence: what happened, why, and what to do. */
  readonly message: string;
}

/** A load balancer that may be the owner's by name or address, but does not carry the owner. */
export interface LoadBalancerCandidate {
  readonly id: string;
  readonly name: string;
  /** The IPs and hostnames of the load balancer. */
  readonly addresses: readonly string[];
  /** The owner that it carries. Absent: none. */
  readonly ownedBy?: { readonly owner: string; readonly isOfThisCluster: boolean };
}

export type LoadBalancerNext =
  | { readonly kind: "settled" }
  /** The cloud is at work; observe again after this many milliseconds. */
  | { readonly kind: "inProgress"; readonly dueMs: number; readonly what: string }
  /** Another controller serves this Service (upstream's ImplementedElsewhere): settled, the status untouched, no Event. */
  | { readonly kind: "elsewhere" }
  /** It carries an owner of another cluster, or another Service. */
  | { readonly kind: "foreign"; readonly id: string; readonly owner: string }
  /**
   * It has our name or a published address, but no owner: an admin may allow us to adopt it. `others`: its listeners and members that the
   * Service does not ask for (`listener 53/UDP`, `member i-9`). Adoption would remove them, so consent is not enough while there are any.
   */
  | {
      readonly kind: "unowned";
      readonly id: string;
      readonly name: string;
      readonly others?: readonly string[];
    }
  /** The cloud does not support what the Service asks for. */
  | { readonly kind: "unsupported"; readonly field: string; readonly problem: string }
  /** The cloud reports it as broken; if the plan has no changes, nothing that we may change repairs it. */
  | { readonly kind: "broken"; readonly id: string; readonly message: string };

export interface LoadBalancerStatus {
  readonly ingress: readonly {
    readonly ip?: string;
    readonly hostname?: string;
    readonly ipMode?: "VIP" | "Proxy";
    readonly ports?: readonly {
      readonly port: number;
      readonly protocol: string;
      readonly error?: string;
    }[];
  }[];
}

/** The facts that a page shows of any load balancer. */
export interface LoadBalancerFacts {
  readonly id: string;
  readonly name: string;
  /** `network`, `application`, `internal`; the cloud's own term. */
  readonly type: string;
  readonly addresses: readonly string[];
  /** The cloud's own term for the state. */
  readonly state: string;
  /** Milliseconds since the epoch. */
  readonly createdAt?: number;
  /**
   * The class of the Service at the last sync, as stored on the load balancer: it tells several controllers of one cluster which load
   * balancers are theirs. Absent: no class, or the cloud stores none.
   */
  readonly loadBalancerClass?: string;
  /** Other parts that we created for it, such as firewall rules. */
  readonly parts: readonly { readonly kind: string; readonly id: string }[];
}

export interface LoadBalancerAspect {
  /** `listener 443/TCP`, `health check`, `source ranges`. */
  readonly name: string;
  readonly desired?: string;
  readonly actual?: string;
}

/** One write to a cloud, as a provider plans it. */
export interface CloudChange {
  /**
   * `members` changes only the members of an existing load balancer: upstream's UpdateLoadBalancer. `adopt` sets the owner of an unowned
   * one, and may bring it in sync in the same write.
   */
  readonly action: "create" | "adopt" | "update" | "members" | "delete";
  /** `load balancer`, `listener 443/TCP`, `firewall rule`. */
  readonly what: string;
  /** The resource's id, or the name that it will have. */
  readonly target: string;
  /** The changed fields, for the ledger, the page and the plan's hash: no secrets, members as `{added, removed, count}`. */
  readonly before: Json;
  readonly after: Json;
  /** The input of `apply`; not recorded. */
  readonly request: Json;
}

export interface OwnedLoadBalancer {
  readonly owner: OwnerIdentity;
  /** `namespace/name` of the Service, if stored with the owner. */
  readonly service?: string;
  readonly facts: LoadBalancerFacts;
  /** The cost of keeping it, in words, if the provider knows it: `about 0.02 EUR an hour`. */
  readonly costHint?: string;
}

const LONGEST_NAME = 32;

/** Returns upstream's cloudprovider.DefaultLoadBalancerName, which its providers use unless they define another (spec/60 §4). */
export function upstreamLoadBalancerName({ objectUid }: Pick<OwnerIdentity, "objectUid">): string {
  return `a${objectUid.replaceAll("-", "")}`.slice(0, LONGEST_NAME);
}

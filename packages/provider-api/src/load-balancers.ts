import type { CallContext } from "./call-context.ts";
import type { ProviderError } from "./errors.ts";
import type { NodeAddress } from "./instances.ts";
import type { Json } from "./json.ts";

/** What every resource that we make in a cloud carries, so that orphans are found and foreign ones never touched. */
export interface OwnerIdentity {
  /** UID of the namespace kube-system. */
  readonly clusterUid: string;
  /** The Service's UID. */
  readonly objectUid: string;
}

/**
 * Declarative load balancers: the framework brings the spec, the provider reads, plans without I/O and applies
 * (DESIGN.md "Provider", spec/60 §4 and §8). `Observed` is the provider's own picture of what is there; it must be plain
 * data. One that only knows "ensure" is wrapped by `wrapEnsureStyle`.
 */
export interface LoadBalancers<Observed = unknown> {
  readonly abilities: LoadBalancerAbilities;
  /**
   * What is there for these owners; one listing may serve them all. Every owner has an answer under its `objectUid`; one
   * without a load balancer has an observation that says so, never a failure. One bad owner never fails the others. Where nothing
   * carries the owner's mark it must find what has the owner's name (ours and upstream's) and what stands at one of its
   * `published` addresses: `plan` lists them as candidates and refuses to touch them without consent or proof.
   * Throws only when the signal aborts.
   */
  observe(
    owners: readonly LoadBalancerOwner[],
    context: CallContext,
  ): Promise<ReadonlyMap<string, LoadBalancerObservation<Observed>>>;
  /**
   * The changes from what is to what should be. Pure; the same input gives the same answer. A promise where the plan is made in
   * another process; it rejects with ProviderError.
   */
  plan(input: LoadBalancerPlanInput<Observed>): LoadBalancerPlan | Promise<LoadBalancerPlan>;
  /**
   * Makes one change and answers what is there then, if the cloud's answer says; undefined makes the framework look
   * again. Repeated after a lost answer it must not make a second load balancer. Throws ProviderError; `Invalid` with
   * `call.member` names the one member that the cloud refuses.
   */
  apply(change: CloudChange, context: CallContext): Promise<Observed | undefined>;
  /**
   * The name that upstream's provider for this cloud gives this owner's load balancer (its GetLoadBalancerName, spec/60 §4): one of
   * the two proofs by which one without a mark is the Service's own. Absent: `upstreamLoadBalancerName`. Pure.
   */
  upstreamName?(owner: LoadBalancerOwner): string;
  /** All that carry this cluster's UID, to find those without an owner. Throws ProviderError. */
  owned(clusterUid: string, context: CallContext): Promise<readonly OwnedLoadBalancer[]>;
}

/** How a Service's load balancer is found: by its mark, and by its name where the cloud has no marks. */
export interface LoadBalancerOwner extends OwnerIdentity {
  readonly namespace: string;
  readonly name: string;
  /** `--cluster-name`; for users to read, never an identity. */
  readonly clusterName: string;
  /** The Service's `spec.loadBalancerClass`; kept beside the mark, and no part of the identity. Absent: it has none. */
  readonly loadBalancerClass?: string;
  /**
   * IPs and hostnames that the Service's status publishes and that are not known to be those of a load balancer with this mark.
   * Whatever stands there is looked for. Absent: none.
   */
  readonly published?: readonly string[];
  /**
   * The Service's annotations that the provider reads (`annotationPrefixes`), so that `observe` finds what they name and a removal
   * knows what they asked for last. Absent: none, or the Service is not known any more.
   */
  readonly annotations?: Readonly<Record<string, string>>;
}

export type LoadBalancerObservation<Observed> =
  | { readonly kind: "known"; readonly observed: Observed; readonly requestId?: string }
  | { readonly kind: "failed"; readonly error: ProviderError };

/** What a provider's load balancers can do; a Service that asks for more is refused before any call. */
export interface LoadBalancerAbilities {
  readonly protocols: readonly Protocol[];
  /** Whether one load balancer may listen with several protocols. */
  readonly mixedProtocols: boolean;
  readonly families: readonly IpFamily[];
  readonly affinity: boolean;
  readonly sourceRanges: boolean;
  /** Whether `loadBalancerIP` can be chosen. */
  readonly requestedAddress: boolean;
  /**
   * Whether it keeps an owner's mark beside the name. Absent: it does. Without, the name is the mark: what has it is taken for
   * ours, and nothing distinguishes what upstream made from what we made.
   */
  readonly storesOwner?: boolean;
  /**
   * Whether it reaches pods itself, without a node port: a Service with `allocateLoadBalancerNodePorts: false` is then asked for
   * with `targets: "pods"`. Absent: no, and such a Service is refused.
   */
  readonly podTargets?: boolean;
  /**
   * Whether it serves a Service with `allocateLoadBalancerNodePorts: false` without members, for something else to fill in. Absent:
   * no, and such a Service is refused.
   */
  readonly withoutNodePorts?: boolean;
  /** Whether it chooses among the members by their Nodes' labels: then they carry them. Absent: no. */
  readonly nodeLabels?: boolean;
  /**
   * How many changes, of whichever load balancers, may be under way at the same time unless the operator names a number: for a provider
   * whose changes read and write what several load balancers share. Absent: as many as the controller makes.
   */
  readonly changesAtOnce?: number;
  /**
   * How long one change may be under way, milliseconds, for a provider that waits within a change for what the cloud does; a run that
   * makes one is given that much more time. Absent: no longer than any other call.
   */
  readonly changeTimeoutMs?: number;
  /** Prefixes of the Service annotations that it reads; changes of others mean nothing to it. */
  readonly annotationPrefixes: readonly string[];
  /** Fields of the cloud's that are not compared, such as defaults that its server fills in; shown on the page. */
  readonly ignoredFields: readonly string[];
  /** What nobody learns through this provider, as one sentence for the page. Absent: nothing is missing. */
  readonly unseen?: string;
}

export type Protocol = "TCP" | "UDP" | "SCTP";
export type IpFamily = "IPv4" | "IPv6";

/** What a Service and its nodes ask of the cloud, normalised: equal actions are equal values. */
export interface LoadBalancerSpec {
  readonly owner: LoadBalancerOwner;
  readonly internal: boolean;
  readonly listeners: readonly LoadBalancerListener[];
  /**
   * Where traffic goes: `pods`, at the `targetPort` of each listener, past the nodes; which pods these are the EndpointSlices of
   * the owner's name say. Only for a provider with the ability `podTargets`. Absent: the members' node ports.
   */
  readonly targets?: "pods";
  readonly members: readonly LoadBalancerMember[];
  /** CIDRs in canonical form, sorted; never empty: `0.0.0.0/0` (and `::/0`) is everybody. */
  readonly sourceRanges: readonly string[];
  /**
   * Of the node port of the first listener, or of `healthCheckNodePort` (spec/60 §4). Where `targets` are pods: of the target
   * port of the first listener, 0 where that is a name.
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
  /** The provider's own annotations (`annotationPrefixes`), as they are. */
  readonly annotations: Readonly<Record<string, string>>;
}

export interface LoadBalancerListener {
  /** The port's name, "" when it has none. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly port: number;
  /** 0 where the Service has none. */
  readonly nodePort: number;
  /** The pods' port, by number or by the name that their containers give it; present where `targets` are pods. */
  readonly targetPort?: number | string;
  readonly appProtocol?: string;
}

export interface LoadBalancerMember {
  readonly nodeName: string;
  readonly providerID: string;
  readonly addresses: readonly NodeAddress[];
  /** Of the Node; present for a provider with the ability `nodeLabels`. */
  readonly labels?: Readonly<Record<string, string>>;
}

export interface LoadBalancerPlanInput<Observed> {
  readonly owner: LoadBalancerOwner;
  /** Undefined asks for the removal of everything that carries this owner's mark. */
  readonly spec: LoadBalancerSpec | undefined;
  readonly observed: Observed;
  /** Where the Service says that it is reached: of several load balancers with our mark the one with this address stays. */
  readonly published: LoadBalancerStatus;
  /** Write everything again, also what is as it should be (a user's action). */
  readonly everything?: boolean;
  /** The id of an unowned load balancer that an admin gave us leave to adopt, should nothing of others be on it. */
  readonly consent?: string;
  /**
   * The id of the candidate that is the Service's own by upstream's name and the published address: it is adopted as it is, and
   * what is on it beside what the Service asks for is a difference like any other.
   */
  readonly proven?: string;
}

export interface LoadBalancerPlan {
  /** In order; applied one after the other, and then it is planned anew until there are none. */
  readonly changes: readonly CloudChange[];
  readonly next: LoadBalancerNext;
  /** Where it is reached; undefined while there is no address yet. */
  readonly status: LoadBalancerStatus | undefined;
  /** Undefined when there is none. */
  readonly actual: LoadBalancerFacts | undefined;
  /** Desired beside actual, in words; the members are apart. Equal ones, too. */
  readonly aspects: readonly LoadBalancerAspect[];
  /** By provider ID: the members that the cloud has, with their health if it reports that. */
  readonly members: Readonly<Record<string, { readonly health?: string }>>;
  /**
   * What has one of the owner's names or stands at one of its published addresses, without carrying its mark; those that this
   * very plan adopts or removes by consent or proof included. Also when `spec` is undefined. Absent: none.
   */
  readonly candidates?: readonly LoadBalancerCandidate[];
  /** What the Service's user should know beside: each becomes an Event of the Service once while it holds. Absent: nothing. */
  readonly notices?: readonly LoadBalancerNotice[];
  /** Annotations that the Service is to carry, as upstream's provider writes them; others stay. Absent: none. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** What a provider does otherwise than the Service asks, or could not read, in the words of an Event. */
export interface LoadBalancerNotice {
  readonly type: "Normal" | "Warning";
  /** As an Event has it, in CamelCase. */
  readonly reason: string;
  /** One sentence: what, why, what to do. */
  readonly message: string;
}

/** A load balancer that may be the owner's by name or address, and does not say so by its mark. */
export interface LoadBalancerCandidate {
  readonly id: string;
  readonly name: string;
  /** Its IPs and hostnames. */
  readonly addresses: readonly string[];
  /** Whose mark it carries. Absent: none. */
  readonly ownedBy?: { readonly owner: string; readonly isOfThisCluster: boolean };
}

export type LoadBalancerNext =
  | { readonly kind: "settled" }
  /** The cloud is at work; look again after so many milliseconds. */
  | { readonly kind: "inProgress"; readonly dueMs: number; readonly what: string }
  /** Another controller serves this Service (upstream's ImplementedElsewhere): settled, status untouched, no Event. */
  | { readonly kind: "elsewhere" }
  /** It carries another cluster's mark or another Service's. */
  | { readonly kind: "foreign"; readonly id: string; readonly owner: string }
  /**
   * It has our name or a published address, and no mark: an admin may let us adopt it. `others`: the listeners and members on it
   * that the Service does not ask for (`listener 53/UDP`, `member i-9`): an adoption would take them away, so while there are any,
   * no consent is enough.
   */
  | {
      readonly kind: "unowned";
      readonly id: string;
      readonly name: string;
      readonly others?: readonly string[];
    }
  /** The cloud cannot do what the Service asks for. */
  | { readonly kind: "unsupported"; readonly field: string; readonly problem: string }
  /** The cloud calls it broken; without changes nothing that we may change heals it. */
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

/** What a page shows of any load balancer. */
export interface LoadBalancerFacts {
  readonly id: string;
  readonly name: string;
  /** `network`, `application`, `internal`; the cloud's own word. */
  readonly type: string;
  readonly addresses: readonly string[];
  /** The cloud's own word for its state. */
  readonly state: string;
  /** Milliseconds since the epoch. */
  readonly createdAt?: number;
  /**
   * The class of the Service that it was last put in sync for, as it carries it: of several controllers of one cluster each
   * knows by it what is its own. Absent: without a class, or the cloud keeps none.
   */
  readonly loadBalancerClass?: string;
  /** Our other parts beside it, such as firewall rules. */
  readonly parts: readonly { readonly kind: string; readonly id: string }[];
}

export interface LoadBalancerAspect {
  /** `listener 443/TCP`, `health check`, `source ranges`. */
  readonly name: string;
  readonly desired?: string;
  readonly actual?: string;
}

/** One write to a cloud that a provider's plan asks for. */
export interface CloudChange {
  /**
   * `members` changes nothing but the members of a load balancer that exists: upstream's UpdateLoadBalancer. `adopt` gives the owner's
   * mark to one that had none, and in the same write may bring it to what is asked for.
   */
  readonly action: "create" | "adopt" | "update" | "members" | "delete";
  /** `load balancer`, `listener 443/TCP`, `firewall rule`. */
  readonly what: string;
  /** Its id, or the name that it will have. */
  readonly target: string;
  /** The fields that it touches, for the ledger, the page and the plan's hash: no secrets, members as `{added, removed, count}`. */
  readonly before: Json;
  readonly after: Json;
  /** What `apply` needs; not recorded. */
  readonly request: Json;
}

export interface OwnedLoadBalancer {
  readonly owner: OwnerIdentity;
  /** `namespace/name` of the Service if the mark has it. */
  readonly service?: string;
  readonly facts: LoadBalancerFacts;
  /** What it costs to keep, in words, when the provider knows: `about 0.02 EUR an hour`. */
  readonly costHint?: string;
}

const LONGEST_NAME = 32;

/** Upstream's cloudprovider.DefaultLoadBalancerName, which its providers use unless they say otherwise (spec/60 §4). */
export function upstreamLoadBalancerName({ objectUid }: Pick<OwnerIdentity, "objectUid">): string {
  return `a${objectUid.replaceAll("-", "")}`.slice(0, LONGEST_NAME);
}

import type {
  LoadBalancerMember,
  LoadBalancerOwner,
  LoadBalancers,
  OwnerIdentity,
} from "../../load-balancers.ts";
import type { EndlessCloud } from "../endless.ts";

/** A provider with its own cloud, which is empty at first; one per case. Cases that need an absent optional member are skipped. */
export interface LoadBalancersFixture extends EndlessCloud {
  /** The provider's name. */
  readonly provider: string;
  /** How long the cloud may take for one answer, milliseconds; 10,000 unless given. */
  readonly deadlineMs?: number;
  readonly loadBalancers: LoadBalancers;
  /** How many Services the cloud under test can serve at the same time, at least two; 16 unless given. */
  readonly servedAtOnce?: number;
  /** How long the cloud under test may take to settle one Service, milliseconds; 40,000 unless given. */
  readonly mostWaitedMs?: number;
  /** Set for load balancers made by `wrapEnsureStyle`: it reads each owner separately, and identifies a load balancer by its name only. */
  readonly isWrapped?: true;
  /** Creates a machine that can be a member; returns its provider ID. */
  createMember(name: string): Promise<string>;
  /** Returns the addresses of such a machine's Node; present where members are identified by address. */
  addressesOf?(providerID: string): LoadBalancerMember["addresses"];
  /** Returns all load balancers of the cloud, whoever owns them, as a user sees them in the cloud's console. */
  existing(): Promise<readonly SeenLoadBalancer[]>;
  /** Returns what the provider creates beside load balancers, such as firewall rules; empty if it creates nothing. */
  parts(): Promise<readonly string[]>;
  /** A provider ID with the provider's scheme that no machine has. */
  readonly unknownMember?: string;
  /** Set when the cloud stores the Service's class beside the owner. */
  readonly keepsClass?: true;
  /** Creates an unowned load balancer with the name that this owner's would have; returns its id. */
  createUnowned?(owner: LoadBalancerOwner): Promise<string>;
  /** Does the same with a listener on port 53 and a member that this owner's Service does not ask for; returns its id. */
  createUsed?(owner: LoadBalancerOwner): Promise<string>;
  /** Does the same with this owner identity, which is another owner's; returns its id. */
  createOwned?(owner: LoadBalancerOwner, mark: OwnerIdentity): Promise<string>;
  /** Removes a load balancer, but none of the parts beside it, as a user in the console would. */
  removeLoadBalancer?(id: string): Promise<void>;
  /** Removes all listeners, as a user in the console would. */
  editLoadBalancer?(id: string): Promise<void>;
  /** Makes the cloud report it as broken. */
  breakLoadBalancer?(id: string): Promise<void>;
  /** Makes the next such change succeed and loses its answer. */
  loseNextAnswer?(action: "create" | "update" | "delete"): Promise<void>;
  /** Makes the cloud reject every call as too many, until the returned function undoes it. */
  throttle?(retryAfterMs: number): Promise<() => Promise<void>>;
  /** Makes every call fail, until the returned function undoes it. */
  breakCloud?(): Promise<() => Promise<void>>;
  /** Limits the number of load balancers from now on. */
  limitLoadBalancers?(count: number): Promise<void>;
  /** Makes creating and changing take this long from now on. */
  slowDown?(ms: number): Promise<void>;
  /** Creates this many load balancers of this cluster, each for a Service of its own: more than a page of the cloud's listing. */
  fill?(clusterUid: string, count: number): Promise<void>;
}

export interface SeenLoadBalancer {
  readonly id: string;
  readonly owner: OwnerIdentity | undefined;
  /** The members' provider IDs. */
  readonly members: readonly string[];
  /** The ports of its listeners. */
  readonly ports: readonly number[];
  /** IPs and host names. */
  readonly addresses: readonly string[];
  /** Whether the cloud reports it as broken. */
  readonly isBroken: boolean;
}

/** The needs that a fixture may lack. */
export type LoadBalancerNeed =
  | Exclude<
      keyof LoadBalancersFixture,
      | "provider"
      | "deadlineMs"
      | "loadBalancers"
      | "isWrapped"
      | "createMember"
      | "addressesOf"
      | "existing"
      | "parts"
    >
  /** Means that `wrapEnsureStyle` does not make them. */
  | "notWrapped";

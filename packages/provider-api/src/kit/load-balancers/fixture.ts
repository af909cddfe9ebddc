import type {
  LoadBalancerMember,
  LoadBalancerOwner,
  LoadBalancers,
  OwnerIdentity,
} from "../../load-balancers.ts";
import type { EndlessCloud } from "../endless.ts";

/** A provider on a cloud of its own that is empty at first; one for each case. What is optional is skipped where it is absent. */
export interface LoadBalancersFixture extends EndlessCloud {
  /** The provider's name. */
  readonly provider: string;
  /** What the cloud has for one answer, milliseconds; 10,000 unless given. */
  readonly deadlineMs?: number;
  readonly loadBalancers: LoadBalancers;
  /** How many Services the cloud under test can serve at the same time, two at least; 16 unless given. */
  readonly servedAtOnce?: number;
  /** How long the cloud under test may be at work on one Service until it is at rest, milliseconds; 40,000 unless given. */
  readonly mostWaitedMs?: number;
  /** Given where `wrapEnsureStyle` makes them: it asks for each owner by itself, and knows a load balancer by its name alone. */
  readonly isWrapped?: true;
  /** Makes a machine that may be a member; answers its provider ID. */
  createMember(name: string): Promise<string>;
  /** The addresses that the Node of such a machine has; given where members are known by them. */
  addressesOf?(providerID: string): LoadBalancerMember["addresses"];
  /** All load balancers of the cloud, whosever they are, as a user sees them in its console. */
  existing(): Promise<readonly SeenLoadBalancer[]>;
  /** What the provider makes beside load balancers, such as firewall rules; empty where it makes none. */
  parts(): Promise<readonly string[]>;
  /** A provider ID of its own scheme that no machine has. */
  readonly unknownMember?: string;
  /** Given where the cloud keeps the Service's class beside the mark. */
  readonly keepsClass?: true;
  /** A load balancer of the name that this owner's would have, without any mark; answers its id. */
  createUnowned?(owner: LoadBalancerOwner): Promise<string>;
  /** The same with a listener on port 53 and a member that this owner's Service does not ask for; answers its id. */
  createUsed?(owner: LoadBalancerOwner): Promise<string>;
  /** The same with this mark, which is another's. */
  createOwned?(owner: LoadBalancerOwner, mark: OwnerIdentity): Promise<string>;
  /** Removes a load balancer, but none of what is beside it, as a user in the console would. */
  removeLoadBalancer?(id: string): Promise<void>;
  /** Takes all listeners away, as a user in the console would. */
  editLoadBalancer?(id: string): Promise<void>;
  /** Makes the cloud call it broken. */
  breakLoadBalancer?(id: string): Promise<void>;
  /** The work of the next such change is done, and its answer lost. */
  loseNextAnswer?(action: "create" | "update" | "delete"): Promise<void>;
  /** Every call is refused as too many, until the answer undoes it. */
  throttle?(retryAfterMs: number): Promise<() => Promise<void>>;
  /** Every call fails, until the answer undoes it. */
  breakCloud?(): Promise<() => Promise<void>>;
  /** No more than so many load balancers from now on. */
  limitLoadBalancers?(count: number): Promise<void>;
  /** Making and changing takes so long from now on. */
  slowDown?(ms: number): Promise<void>;
  /** Makes so many load balancers of this cluster, each of a Service of its own: more than a page of the cloud's listing. */
  fill?(clusterUid: string, count: number): Promise<void>;
}

export interface SeenLoadBalancer {
  readonly id: string;
  readonly owner: OwnerIdentity | undefined;
  /** Provider IDs. */
  readonly members: readonly string[];
  /** Of its listeners. */
  readonly ports: readonly number[];
  /** IPs and host names. */
  readonly addresses: readonly string[];
  /** Whether the cloud calls it so. */
  readonly isBroken: boolean;
}

/** Those that a fixture may lack. */
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
  /** That `wrapEnsureStyle` does not make them. */
  | "notWrapped";

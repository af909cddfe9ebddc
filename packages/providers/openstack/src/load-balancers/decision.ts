import type {
  CloudChange,
  LoadBalancerNext,
  LoadBalancerNotice,
  LoadBalancerPlanInput,
  LoadBalancerSpec,
} from "@cloudwright/provider-api";
import type { DesiredLoadBalancer } from "./desired.ts";
import type { LoadBalancerConfig } from "./networks.ts";
import type { LoadBalancer, LoadBalancerTree, ObservedLoadBalancer } from "./observed.ts";

export type PlanInput = LoadBalancerPlanInput<ObservedLoadBalancer>;

export interface PlanOptions extends LoadBalancerConfig {
  /** The minimum age in milliseconds of a load balancer whose creation failed before it is deleted and re-created. */
  readonly retryBrokenMs: number;
}

/** The input of a plan for one Service. */
export interface PlanFacts {
  readonly input: PlanInput;
  readonly spec: LoadBalancerSpec;
  readonly desired: DesiredLoadBalancer;
  readonly options: PlanOptions;
}

/** Includes the one load balancer that the Service has or will share. */
export interface ServingFacts extends PlanFacts {
  readonly loadBalancer: LoadBalancerTree;
}

/** The changes to make, and the state at present. */
export interface Decision {
  readonly changes: readonly CloudChange[];
  readonly next: LoadBalancerNext;
  readonly notices?: readonly LoadBalancerNotice[];
  /** Whether it is reached at its own address, without a floating IP. */
  readonly isInternal?: boolean;
}

/** When to observe again a load balancer that Octavia is working on, in milliseconds. */
const DUE_MS = 1_000;

export function inProgress({ id, provisioning_status }: LoadBalancer): LoadBalancerNext {
  return { kind: "inProgress", dueMs: DUE_MS, what: `${id} is ${provisioning_status}` };
}

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
  /** How old one must be that could not be made before it is deleted and made anew, milliseconds. */
  readonly retryBrokenMs: number;
}

/** What a plan for one Service is made of. */
export interface PlanFacts {
  readonly input: PlanInput;
  readonly spec: LoadBalancerSpec;
  readonly desired: DesiredLoadBalancer;
  readonly options: PlanOptions;
}

/** With the one load balancer that the Service has, or is to share. */
export interface ServingFacts extends PlanFacts {
  readonly loadBalancer: LoadBalancerTree;
}

/** What to change, and what holds now. */
export interface Decision {
  readonly changes: readonly CloudChange[];
  readonly next: LoadBalancerNext;
  readonly notices?: readonly LoadBalancerNotice[];
  /** Whether it is reached at its own address. */
  readonly isInternal?: boolean;
}

/** How soon a load balancer is observed again that Octavia is at work on, milliseconds. */
const DUE_MS = 1_000;

export function inProgress({ id, provisioning_status }: LoadBalancer): LoadBalancerNext {
  return { kind: "inProgress", dueMs: DUE_MS, what: `${id} is ${provisioning_status}` };
}

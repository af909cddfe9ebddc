import type {
  CloudChange,
  LoadBalancerNext,
  LoadBalancerPlanInput,
} from "@cloudwright/provider-api";
import type { LoadBalancer, ObservedLoadBalancer } from "./load-balancer.ts";

export type PlanInput = LoadBalancerPlanInput<ObservedLoadBalancer>;

/** What to change, and what holds now. */
export interface Decision {
  readonly changes: readonly CloudChange[];
  readonly next: LoadBalancerNext;
}

/** How soon a load balancer is looked at again that the cloud is at work on: it does not tell when it is due. */
const DUE_MS = { serves: 500, goes: 1_000 };

export function inProgress({ id, state }: LoadBalancer): LoadBalancerNext {
  const dueMs = state === "deleting" ? DUE_MS.goes : DUE_MS.serves;
  return { kind: "inProgress", dueMs, what: `${id} is ${state}` };
}

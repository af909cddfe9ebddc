import type {
  BalancerNext,
  BalancerPlanInput,
  CloudChange,
} from "@cloudwright/core/provider/load-balancers";
import type { Balancer, ObservedBalancer } from "./load-balancer.ts";

export type PlanInput = BalancerPlanInput<ObservedBalancer>;

/** What to change, and what holds now. */
export interface Decision {
  readonly changes: readonly CloudChange[];
  readonly next: BalancerNext;
}

/** How soon a balancer that is being made or changed is looked at again: the cloud does not tell when it is due. */
const DUE_MS = 500;

export function inProgress({ id, state }: Balancer): BalancerNext {
  return { kind: "inProgress", dueMs: DUE_MS, what: `${id} is ${state}` };
}

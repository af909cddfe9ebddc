import type { BalancerNext, BalancerPlanInput, CloudChange } from "@cloudwright/provider-api";
import type { Balancer, ObservedBalancer } from "./load-balancer.ts";

export type PlanInput = BalancerPlanInput<ObservedBalancer>;

/** What to change, and what holds now. */
export interface Decision {
  readonly changes: readonly CloudChange[];
  readonly next: BalancerNext;
}

/** How soon a balancer is looked at again that the cloud is at work on: it does not tell when it is due. */
const DUE_MS = { serves: 500, goes: 1_000 };

export function inProgress({ id, state }: Balancer): BalancerNext {
  const dueMs = state === "deleting" ? DUE_MS.goes : DUE_MS.serves;
  return { kind: "inProgress", dueMs, what: `${id} is ${state}` };
}

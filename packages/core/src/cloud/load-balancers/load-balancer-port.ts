import type {
  CloudChange,
  LoadBalancerObservation,
  LoadBalancerOwner,
  OwnedLoadBalancer,
} from "@cloudwright/provider-api";
import type { CallPriority } from "../../model/call-priority.ts";
import type { LookupRun } from "../calls/lookup-run.ts";

/** All observations of load balancers in this process: what many runs ask at the same time becomes few calls. */
export interface LoadBalancerDirectory {
  /** The load balancers as one run sees them; every call made for it is reported to the run as a step. */
  for(run: LookupRun): LoadBalancerPort;
}

/** Load balancers as one run sees them; many runs' observations share calls behind it, changes are a run's own. */
export interface LoadBalancerPort {
  /** Rejects only when the run's signal aborts. */
  observe(
    owner: LoadBalancerOwner,
    options: LoadBalancerObserveOptions,
  ): Promise<LoadBalancerObservation<unknown>>;
  /** Throws ProviderError. What it answers, and what a change leaves behind, `observe` knows from then on. */
  apply(owner: LoadBalancerOwner, change: CloudChange, priority: CallPriority): Promise<void>;
  /** All of this cluster's; shares the listing of observations. Throws ProviderError. */
  owned(priority: CallPriority): Promise<readonly OwnedLoadBalancer[]>;
}

export interface LoadBalancerObserveOptions {
  /** How old what was seen, or answered to our own change, may be, milliseconds; 0 asks the cloud. */
  readonly maxAgeMs: number;
  readonly priority: CallPriority;
}

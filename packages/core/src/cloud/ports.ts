import type {
  CloudChange,
  CloudRoute,
  InstanceRef,
  LoadBalancerObservation,
  LoadBalancerOwner,
  Lookup,
  OwnedLoadBalancer,
  RouteListing,
  RouteSpec,
  VolumeFacts,
  VolumeLookup,
} from "@cloudwright/provider-api";
import type { CallPriority } from "../model/call-priority.ts";
import type { Step } from "../model/run.ts";
import type { RouteTraits } from "./routes/route-index.ts";

/** The run that asks the cloud for something which others may ask for as well. */
export interface LookupRun {
  /** Milliseconds since the epoch: steps count from here. */
  readonly startedAt: number;
  /** When it aborts, what this run waits for rejects with its reason; a shared call goes on for the others. */
  readonly signal: AbortSignal;
  step(step: Omit<Step, "phase">): void;
}

/** All that this process asks the cloud about one kind of resource: what many runs ask at the same time becomes few calls. */
export interface Directory<Port> {
  /** The cloud as one run sees it; every call made for it is reported to the run as a step. */
  for(run: LookupRun): Port;
}

export type InstanceDirectory = Directory<InstanceLookups>;
export type LoadBalancerDirectory = Directory<LoadBalancerPort>;
export type RouteDirectory = Directory<CloudRoutes>;
export type VolumeDirectory = Directory<CloudVolumes>;

/** How fresh an answer has to be, and how urgently it is asked for. */
export interface ObserveOptions {
  /** How old what was seen, or answered to our own change, may be, milliseconds; 0 asks the cloud. */
  readonly maxAgeMs: number;
  readonly priority: CallPriority;
}

export interface InstanceLookups {
  lookup(ref: InstanceRef, options: LookupOptions): Promise<Lookup>;
}

/** Negative answers are never reused. */
export interface LookupOptions extends ObserveOptions {
  /**
   * The call that answers must have begun after this, monotonic milliseconds: what a Node is judged by was asked after that
   * Node was seen, as its name may have been another machine's before (DESIGN.md "Freshness").
   */
  readonly notBefore?: number;
  /** `single` is one read of this instance alone, as the deletion rule demands. */
  readonly mode: "batch" | "single";
}

/** Observations are shared, changes are a run's own. */
export interface LoadBalancerPort {
  /** Rejects only when the run's signal aborts. */
  observe(
    owner: LoadBalancerOwner,
    options: ObserveOptions,
  ): Promise<LoadBalancerObservation<unknown>>;
  /** Throws ProviderError. What it answers, and what a change leaves behind, `observe` knows from then on. */
  apply(owner: LoadBalancerOwner, change: CloudChange, priority: CallPriority): Promise<void>;
  /** All of this cluster's; shares the listing of observations. Throws ProviderError. */
  owned(priority: CallPriority): Promise<readonly OwnedLoadBalancer[]>;
}

/** The route tables; many runs share one listing. */
export interface CloudRoutes {
  /**
   * The last listing, brought up to date by what was answered to our own changes since; asks the cloud when it is older
   * than `maxAgeMs`. Listings never overlap: who asks while one is on its way waits for it, and for the next one
   * when that began before a change which it may not show. Throws ProviderError.
   */
  list(options: RouteListOptions): Promise<SeenRoutes>;
  /** Throws ProviderError. What it answers, `list` knows from then on; what it leaves behind when it fails is asked anew. */
  create(request: RouteSpec, priority: CallPriority): Promise<CloudRoute>;
  /** Throws ProviderError. */
  remove(route: CloudRoute, priority: CallPriority): Promise<void>;
}

export interface RouteListOptions extends ObserveOptions {
  /** The listing must have begun after this, monotonic milliseconds; absent: its age is all that counts. */
  readonly notBefore?: number | undefined;
}

export interface SeenRoutes extends RouteListing {
  /** When the cloud said so, milliseconds since the epoch. */
  readonly asOf: number;
  /** Those of `routes` that have one of these traits, found without looking at all. Asked in the turn in which it was listed. */
  having(traits: RouteTraits): readonly CloudRoute[];
}

export interface CloudVolumes {
  /** Rejects only when the run's signal aborts. */
  describe(id: string, options: ObserveOptions): Promise<VolumeLookup>;
  /** Throws ProviderError; `Unsupported` when the provider's disks do not grow. */
  grow(id: string, sizeGiB: number, priority: CallPriority): Promise<VolumeFacts>;
}

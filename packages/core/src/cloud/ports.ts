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

/** A run that makes lookups in the cloud which other runs may make as well. */
export interface LookupRun {
  /** Milliseconds since the epoch, from which the offsets of steps are counted. */
  readonly startedAt: number;
  /**
   * When it aborts, everything that this run waits for rejects with its reason; a shared call goes on for the
   * others.
   */
  readonly signal: AbortSignal;
  step(step: Omit<Step, "phase">): void;
}

/**
 * All lookups of this process in the cloud for one kind of resource: those that many runs make at the same time share few
 * calls.
 */
export interface Directory<Port> {
  /** Returns the cloud as one run sees it; every call made for the run is reported to it as a step. */
  for(run: LookupRun): Port;
}

export type InstanceDirectory = Directory<InstanceLookups>;
export type LoadBalancerDirectory = Directory<LoadBalancerPort>;
export type RouteDirectory = Directory<CloudRoutes>;
export type VolumeDirectory = Directory<CloudVolumes>;

/** How fresh an answer must be, and how urgent the request is. */
export interface ObserveOptions {
  /** How old an observation, or the answer to our own change, may be, in milliseconds; 0 asks the cloud. */
  readonly maxAgeMs: number;
  readonly priority: CallPriority;
}

export interface InstanceLookups {
  lookup(ref: InstanceRef, options: LookupOptions): Promise<Lookup>;
}

/** Negative answers are never reused. */
export interface LookupOptions extends ObserveOptions {
  /**
   * The answering call must have started after this, in monotonic milliseconds: a Node may only be judged by answers
   * requested after it was first seen, as its name may have been another machine's before (DESIGN.md "Freshness").
   */
  readonly notBefore?: number;
  /** `single` reads only this instance, as the deletion rule requires. */
  readonly mode: "batch" | "single";
}

/** Observations are shared; each change belongs to one run. */
export interface LoadBalancerPort {
  /** Rejects only when the run's signal aborts. */
  observe(
    owner: LoadBalancerOwner,
    options: ObserveOptions,
  ): Promise<LoadBalancerObservation<unknown>>;
  /** Throws ProviderError. Later observations include its answer, and look up again what it leaves uncertain. */
  apply(owner: LoadBalancerOwner, change: CloudChange, priority: CallPriority): Promise<void>;
  /** Returns all load balancers of this cluster; shares the listing of observations. Throws ProviderError. */
  owned(priority: CallPriority): Promise<readonly OwnedLoadBalancer[]>;
}

/** The route tables; many runs share one listing. */
export interface CloudRoutes {
  /**
   * Returns the last listing, updated by the answers to our own changes since; asks the cloud if it is older than
   * `maxAgeMs`. Listings never overlap: a caller waits for the listing in progress, and for the next one if that
   * started before a change which it may not show. Throws ProviderError.
   */
  list(options: RouteListOptions): Promise<SeenRoutes>;
  /**
   * Throws ProviderError. Later calls of `list` include its answer; after a failure the affected routes are listed again.
   */
  create(request: RouteSpec, priority: CallPriority): Promise<CloudRoute>;
  /** Throws ProviderError. */
  remove(route: CloudRoute, priority: CallPriority): Promise<void>;
}

export interface RouteListOptions extends ObserveOptions {
  /** The listing must have started after this, in monotonic milliseconds; absent: only its age counts. */
  readonly notBefore?: number | undefined;
}

export interface SeenRoutes extends RouteListing {
  /** When the cloud answered, in milliseconds since the epoch. */
  readonly asOf: number;
  /**
   * Returns the `routes` with one of these traits, found without iterating over all. It must be called in the same turn as the
   * listing.
   */
  having(traits: RouteTraits): readonly CloudRoute[];
}

export interface CloudVolumes {
  /** Rejects only when the run's signal aborts. */
  describe(id: string, options: ObserveOptions): Promise<VolumeLookup>;
  /** Throws ProviderError; `Unsupported` if the provider's disks do not grow. */
  grow(id: string, sizeGiB: number, priority: CallPriority): Promise<VolumeFacts>;
}

import type { CloudRoute, RouteListing, RouteSpec } from "@cloudwright/provider-api";
import type { CallPriority } from "../../model/call-priority.ts";
import type { LookupRun } from "../calls/lookup-run.ts";
import type { RouteTraits } from "./route-index.ts";

/** All looks at the route tables in this process: what many runs ask at the same time becomes one listing. */
export interface RouteDirectory {
  /** The tables as one run sees them; every call made for it is reported to the run as a step. */
  for(run: LookupRun): CloudRoutes;
}

/** The route tables as one run sees them. */
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

export interface RouteListOptions {
  /** How old what was seen may be, milliseconds; 0 asks the cloud. */
  readonly maxAgeMs: number;
  /** The listing must have begun after this, monotonic milliseconds; absent: its age is all that counts. */
  readonly notBefore?: number | undefined;
  readonly priority: CallPriority;
}

export interface SeenRoutes extends RouteListing {
  /** When the cloud said so, milliseconds since the epoch. */
  readonly asOf: number;
  /** Those of `routes` that have one of these traits, found without looking at all. Asked in the turn in which it was listed. */
  having(traits: RouteTraits): readonly CloudRoute[];
}

import type { CallOptions } from "../kube/client.ts";
import type { ControllerName } from "../model/controller-names.ts";
import type { ObjectState } from "../model/node-record.ts";
import type { ObjectRef } from "../model/object-ref.ts";
import type { Change, Plan } from "../model/plan.ts";
import type { Trigger } from "../model/run.ts";
import type { Asked, ObjectWish } from "../model/wish.ts";
import type { Balancers } from "../provider/balancer-port.ts";
import type { InstanceLookups } from "../provider/lookup-port.ts";
import type { CallPriority } from "../provider/provider.ts";
import type { CloudRoutes } from "../provider/route-port.ts";
import type { CloudVolumes } from "../provider/volume-port.ts";

/**
 * One controller's knowledge, without queue, retries, recording or time of its own: the loop brings those
 * (DESIGN.md "The one idea"). A key never carries an event or a snapshot; `observe` reads everything anew.
 */
export interface Reconciler<Observed, Typed extends Change> {
  readonly controller: ControllerName;
  /** Who a key is; from the cache, or what was last known when it is gone. */
  object(key: string): ObjectRef;
  /** The key under which an object is worked on; `objectName` unless given. */
  keyOf?(object: ObjectRef): string;
  /**
   * Whether the last run has left the object just as it is now, so that a run for this trigger would find nothing: what
   * came is the echo of its own write. Asked only while nothing fails and nobody waits. Absent: every trigger runs.
   */
  isSettled?(key: string, trigger: Trigger): boolean;
  /** Reads only. Undefined when the object is gone: the run is then *unchanged* and its state *gone*. */
  observe(key: string, run: RunContext): Promise<Observed | undefined>;
  /** Pure. */
  plan(observed: Observed, nowMs: number): Plan<Typed>;
  /**
   * Pure. Whether the plan is one of very many alike that a single change of the cluster brings, each a small write: these
   * wait for places of their own, eight times as many. Absent: none is.
   */
  isInBulk?(plan: Plan<Typed>): boolean;
  /**
   * One write. Throws KubeError or ProviderError; a conflict makes the loop observe and plan anew, and so does `LookAgain`
   * at once.
   */
  apply(change: Typed, observed: Observed, run: RunContext): Promise<void>;
  /** What the pages show of it after the run, without what the loop itself knows. */
  project(observed: Observed, plan: Plan<Typed>, result: ApplyResult): Projection;
}

export interface ApplyResult {
  /** How many of the plan's changes were applied; all of them unless one failed. */
  readonly applied: number;
  readonly runId: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The part of an ObjectState that only the controller knows. */
export type Projection = Pick<
  ObjectState,
  | "name"
  | "uid"
  | "drift"
  | "node"
  | "cloud"
  | "wanted"
  | "timeline"
  | "initialisedAt"
  | "createdAt"
  | "detail"
>;

/** What a run offers to `observe` and `apply`: every call made with it becomes a step of the run. */
export interface RunContext {
  readonly runId: string;
  readonly trigger: Trigger;
  /**
   * The person's wish that this run carries out or is a preview of. `observe` hands it on, so that the pure plan turns it
   * into changes; a plan that refuses it names its kind as a step that is not taken.
   */
  readonly asked?: Asked<ObjectWish> | undefined;
  /** What earlier plans of this run have written already; a wish for a write that is among them is carried out. */
  readonly written?: readonly Change[];
  readonly signal: AbortSignal;
  readonly nowMs: number;
  /** Spread into every Kubernetes call. */
  readonly kube: CallOptions;
  /** Looks instances up, gathered with all that wait at the same time. */
  readonly instances: InstanceLookups;
  /** Observes and changes balancers; observations are gathered in the same way. */
  readonly balancers: Balancers;
  /** Lists and changes routes; listings are shared. */
  readonly routes: CloudRoutes;
  /** Looks disks up, gathered in the same way, and grows them. */
  readonly volumes: CloudVolumes;
  readonly priority: CallPriority;
}

import type { Directory } from "../cloud/ports.ts";
import type { CallOptions } from "../kube/client.ts";
import type { ObjectAction, RequestedAction } from "../model/actions/action.ts";
import type { CallPriority } from "../model/call-priority.ts";
import type { ObjectRef } from "../model/object-ref.ts";
import type { Change, Plan } from "../model/plan.ts";
import type { ObjectState } from "../model/records/node-record.ts";
import type { Trigger } from "../model/run.ts";
import type { Effect } from "./effects.ts";

/**
 * What one controller knows how to do, without a queue, retries, records or a clock of its own: the loop brings those (DESIGN.md
 * "The one idea"). A key never carries an event or a snapshot; `observe` reads everything again. `Memory` is what is remembered
 * of one object between its runs: the loop keeps it by the object's UID and drops it with the object. `Answer` is what a write
 * returns.
 */
export interface Reconciler<Observed, Typed extends Change, Memory, Answer = unknown> {
  /** The memory of an object that no run has seen yet. Memories are never mutated, so all such objects share it. */
  readonly noMemory: Memory;
  /** Returns the key's object from the cache, or as last known when it is gone. */
  object(key: string): ObjectRef;
  /** Returns the key of an object; `objectName` by default. */
  keyOf?(object: ObjectRef): string;
  /**
   * Reports whether the object is still as the last run left it, so that this trigger is only the echo of our own write and a
   * run would find nothing. Called only while nothing fails and nobody waits. Reads only. If absent, every trigger runs.
   */
  isSettled?(key: string, known: Known<Memory>): boolean;
  /**
   * Reads the informer cache and the cloud, and changes nothing: previews call it as well. Undefined when the object is gone or
   * was replaced by another: the run is then *unchanged* and its state *gone*.
   */
  observe(
    key: string,
    context: ReconcileContext<Observed, Typed, Memory, Answer>,
  ): Promise<Observed | undefined>;
  /** Pure. */
  plan(observed: Observed, memory: Memory, nowMs: number): Plan<Typed>;
  /**
   * Pure. Reports whether the plan is one of very many small, similar writes that a single change of the cluster causes.
   * These have write slots of their own, eight times as many. If absent, none is.
   */
  isInBulk?(plan: Plan<Typed>): boolean;
  /**
   * Resolves when the plan may be written: what has to come first is done, or has been waited for long enough. Called only
   * before real writes, by runs that have no write slot yet. Undefined or absent: at once.
   */
  untilReady?(plan: Plan<Typed>): Promise<void> | undefined;
  /** Pure. Returns what to remember and publish before a plan's first write. Absent: nothing. */
  announce?(observed: Observed, plan: Plan<Typed>, memory: Memory): Announcement<Memory>;
  /**
   * Makes one write, and nothing else except a reservation among objects that share something and a note of what was
   * written for later reads. Throws KubeError or ProviderError. After a conflict or `ObserveAgain` the loop observes and
   * plans again, after `ObserveAgain` at once.
   */
  apply(
    change: Typed,
    observed: Observed,
    context: ReconcileContext<Observed, Typed, Memory, Answer>,
  ): Promise<Answer>;
  /**
   * Called in a dry run instead of `apply`: makes the reservation that the write would need, in memory only, and throws
   * what `apply` would throw if it cannot. Absent: nothing is shared.
   */
  rehearse?(change: Typed, observed: Observed): void;
  /**
   * Pure. Returns what to remember, publish and show after the run. Called for every run that reached a plan, however it
   * ended.
   */
  conclude(run: Concluded<Observed, Typed, Memory, Answer>): Conclusion<Memory>;
}

export interface Known<Memory> {
  readonly trigger: Trigger;
  readonly memory: Memory;
  readonly nowMs: number;
}

export interface Announcement<Memory> {
  readonly memory: Memory;
  readonly effects: readonly Effect[];
}

export interface Conclusion<Memory> extends Announcement<Memory> {
  /** What the pages show of the object after the run, without the parts that only the loop knows. */
  readonly view: Projection;
}

/** The last plan of a run, the observation behind it, and the run's result. */
export interface Concluded<Observed, Typed extends Change, Memory, Answer = unknown> {
  readonly observed: Observed;
  readonly plan: Plan<Typed>;
  readonly result: RunResult<Typed, Answer>;
  readonly memory: Memory;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

export interface RunResult<Typed extends Change = Change, Answer = unknown> {
  readonly runId: string;
  readonly trigger: Trigger;
  readonly startedAt: number;
  readonly endedAt: number;
  /** When the last observation was complete. */
  readonly observedAt: Moment;
  /** How many of the last plan's changes were applied; all of them unless one failed. */
  readonly applied: number;
  /** Whether nothing failed and the whole last plan was applied. */
  readonly isDone: boolean;
  /** Everything the run has written, including earlier plans, in order. */
  readonly written: readonly Written<Typed, Answer>[];
  /** The writes that failed in this run, including those that made it observe again. */
  readonly failed: readonly FailedAttempt<Typed>[];
  /** The error that ended the run, if any. */
  readonly error: unknown;
  /** Whether the object was gone at the observation after the writes. */
  readonly isGone: boolean;
}

export interface Moment {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Milliseconds of a monotonic clock. */
  readonly monotonicMs: number;
}

/** A change that was applied. */
export interface Written<Typed extends Change = Change, Answer = unknown> {
  readonly change: Typed;
  readonly answer: Answer;
  /** When the answer arrived, in milliseconds since the epoch. */
  readonly at: number;
  readonly durationMs: number;
}

export interface FailedAttempt<Typed extends Change = Change> {
  readonly change: Typed;
  readonly error: unknown;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly durationMs: number;
}

/** The part of an ObjectState that only the controller can provide. */
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

/** What a run offers to `observe` and `apply`. Every call made through it becomes a step of the run. */
export interface RunContext extends Moment {
  readonly runId: string;
  readonly trigger: Trigger;
  /**
   * The user's action that this run carries out or previews. `observe` passes it on, so that the pure plan can turn it
   * into changes; a plan that refuses it lists its kind among the steps not taken.
   */
  readonly requested?: RequestedAction<ObjectAction> | undefined;
  /** What this run has already written; an action whose write is among them has been carried out. */
  readonly written: readonly Written[];
  readonly signal: AbortSignal;
  /** Spread into every Kubernetes call. */
  readonly kube: CallOptions;
  readonly priority: CallPriority;
  /**
   * Returns the directory for this run. Every call to the cloud goes through it: lookups that several runs make at the same
   * time are gathered into one call.
   */
  cloud<Port extends object>(directory: Directory<Port>): Port;
  /** Resolves with the result of the work, or undefined when it takes longer than `limitMs`. */
  within<Result>(limitMs: number, work: Promise<Result>): Promise<Result | undefined>;
}

/** The context of one reconciler's own runs. */
export interface ReconcileContext<Observed, Typed extends Change, Memory, Answer = unknown>
  extends RunContext {
  /** The memory of the object. */
  readonly memory: Memory;
  /** What this run observed for its previous plan. */
  readonly earlier: Observed | undefined;
  readonly written: readonly Written<Typed, Answer>[];
  /** The writes that failed in this run before it observed again. */
  readonly failed: readonly FailedAttempt<Typed>[];
}

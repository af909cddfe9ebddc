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
 * What one controller knows how to do, without a queue, retries, records or a clock of its own: the loop brings those
 * (DESIGN.md "The one idea"). A key never carries an event or a snapshot; `observe` reads everything anew. `Memory` is what is
 * remembered of one object between its runs: the loop keeps it by the object's UID and drops it with the object. `Answer` is what
 * a write answers with.
 */
export interface Reconciler<Observed, Typed extends Change, Memory, Answer = unknown> {
  /** The memory of an object that no run has seen yet. Memories are never changed in place, so all such objects share it. */
  readonly noMemory: Memory;
  /** Who a key is; from the cache, or what was last known when it is gone. */
  object(key: string): ObjectRef;
  /** The key under which an object is worked on; `objectName` unless given. */
  keyOf?(object: ObjectRef): string;
  /**
   * Whether the last run has left the object just as it is now, so that a run for this trigger would find nothing: what
   * came is the echo of its own write. Asked only while nothing fails and nobody waits. Reads only. Absent: every trigger runs.
   */
  isSettled?(key: string, known: Known<Memory>): boolean;
  /**
   * Reads the cluster's cache and the cloud, and changes nothing anywhere: a preview calls it as well. Undefined when the object
   * is gone, or another one by now: the run is then *unchanged* and its state *gone*.
   */
  observe(
    key: string,
    context: ReconcileContext<Observed, Typed, Memory, Answer>,
  ): Promise<Observed | undefined>;
  /** Pure. */
  plan(observed: Observed, memory: Memory, nowMs: number): Plan<Typed>;
  /**
   * Pure. Whether the plan is one of very many alike that a single change of the cluster brings, each a small write: these
   * have write slots of their own, eight times as many. Absent: none is.
   */
  isInBulk?(plan: Plan<Typed>): boolean;
  /**
   * Resolves when the plan may be written: what has to come first is done, or was waited for long enough. Asked only before
   * real writes, by runs that have no write slot yet. Undefined, or absent: at once.
   */
  untilReady?(plan: Plan<Typed>): Promise<void> | undefined;
  /** Pure. What is remembered and published before a plan's first write. Absent: nothing. */
  announce?(observed: Observed, plan: Plan<Typed>, memory: Memory): Announcement<Memory>;
  /**
   * One write, and nothing else but the reservation that it needs among objects which share something, and a note of what
   * was written for later reads. Throws KubeError or ProviderError; a conflict makes the loop observe and plan anew, and so
   * does `ObserveAgain` at once.
   */
  apply(
    change: Typed,
    observed: Observed,
    context: ReconcileContext<Observed, Typed, Memory, Answer>,
  ): Promise<Answer>;
  /**
   * In a dry run, instead of `apply`: makes the reservation that the write would need, in memory alone, and throws what
   * `apply` would throw for the lack of it. Absent: nothing is shared.
   */
  rehearse?(change: Typed, observed: Observed): void;
  /** Pure. What is remembered, published and shown after the run. Asked of every run that came to a plan, however it ended. */
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
  /** What the pages show of it after the run, without what the loop itself knows. */
  readonly view: Projection;
}

/** The last plan of a run, what it was made from, and what came of the run. */
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
  /** Whether nothing failed and all of the last plan was applied. */
  readonly isDone: boolean;
  /** All that the run has written, of earlier plans too, in order. */
  readonly written: readonly Written<Typed, Answer>[];
  /** The writes that failed in this run, including those after which it observed again. */
  readonly failed: readonly FailedAttempt<Typed>[];
  /** What ended the run, if anything was thrown. */
  readonly error: unknown;
  /** Whether the object was gone when it was observed again after the writes. */
  readonly isGone: boolean;
}

export interface Moment {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Milliseconds of a clock that is never set. */
  readonly monotonicMs: number;
}

/** A change that was made. */
export interface Written<Typed extends Change = Change, Answer = unknown> {
  readonly change: Typed;
  readonly answer: Answer;
  /** When the answer came, milliseconds since the epoch. */
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
export interface RunContext extends Moment {
  readonly runId: string;
  readonly trigger: Trigger;
  /**
   * The user's action that this run carries out or is a preview of. `observe` hands it on, so that the pure plan turns it
   * into changes; a plan that refuses it names its kind as a step that is not taken.
   */
  readonly requested?: RequestedAction<ObjectAction> | undefined;
  /** What this run has written already; an action whose write is among them has been carried out. */
  readonly written: readonly Written[];
  readonly signal: AbortSignal;
  /** Spread into every Kubernetes call. */
  readonly kube: CallOptions;
  readonly priority: CallPriority;
  /** Every call to the cloud goes through this: lookups that several runs make at the same time are gathered into one call. */
  cloud<Port extends object>(directory: Directory<Port>): Port;
  /** The result of the work, or undefined when it takes longer than `limitMs`. */
  within<Result>(limitMs: number, work: Promise<Result>): Promise<Result | undefined>;
}

/** The context of one reconciler's own runs. */
export interface ReconcileContext<Observed, Typed extends Change, Memory, Answer = unknown>
  extends RunContext {
  /** What is remembered of the object. */
  readonly memory: Memory;
  /** What this run has observed for its plan before this one. */
  readonly earlier: Observed | undefined;
  readonly written: readonly Written<Typed, Answer>[];
  /** The writes that failed in this run before it observed again. */
  readonly failed: readonly FailedAttempt<Typed>[];
}

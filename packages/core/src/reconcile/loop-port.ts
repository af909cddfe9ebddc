import type { EventText } from "../kube/events/event-object.ts";
import type { ActionCarrier, ObjectAction, RequestedAction } from "../model/actions/action.ts";
import type { ControllerName } from "../model/controller-names.ts";
import type { Pause } from "../model/controls.ts";
import type { ObjectRef } from "../model/object-ref.ts";
import type { Change, Plan } from "../model/plan.ts";
import type { Reason } from "../model/reason.ts";
import type { Outcome, Trigger } from "../model/run.ts";
import type { State } from "../model/state.ts";
import type { Clock, Random } from "../model/time.ts";
import type { WorkQueue } from "../queue/port.ts";
import type { Effects } from "./effects.ts";
import type { ReadMemoryStore } from "./memory-store.ts";
import type { Recorder } from "./ports.ts";
import type { Reconciler } from "./reconciler.ts";

export const DEFAULT_RUN_TIMEOUT_MS = 120_000;

export interface ControllerLoopOptions<
  Observed,
  Typed extends Change,
  Memory = undefined,
  Answer = unknown,
> {
  /** The module of the controller. */
  readonly controller: ActionCarrier;
  readonly reconciler: Reconciler<Observed, Typed, Memory, Answer>;
  /** Must merge its triggers with `mostUrgent` of `triggers.ts`. */
  readonly queue: WorkQueue<Trigger>;
  /** How many runs may write at the same time: upstream's `--concurrent-…` flags. */
  readonly concurrency: number;
  /** Whether that limit also covers bulk runs; otherwise they have write slots of their own. */
  readonly isConcurrencyStrict?: boolean;
  /**
   * How many runs may observe at the same time; 256 by default. This is far more than may write, so that the
   * lookups of many objects are gathered into few calls.
   */
  readonly observing?: number;
  readonly recorder: Recorder;
  readonly effects: Effects;
  readonly clock: Clock;
  readonly random: Random;
  readonly identity: { readonly cluster: string; readonly instance: string };
  /** A run that takes longer is ended as `timedOut`; DEFAULT_RUN_TIMEOUT_MS by default. */
  readonly runTimeoutMs?: number;
  /** Observe, plan and record only. */
  readonly dryRun?: boolean;
  /**
   * Returns the name and message of an outcome's Event. If absent or undefined, they are its Reason's code and
   * sentence.
   */
  wording?(outcome: RunOutcome, memory: Memory): EventText | undefined;
  /** Called at the end of every run, recorded or not, with the memory that it left. Must not throw. */
  onOutcome?(outcome: RunOutcome, memory: Memory): void;
}

/** How one run ended, for metrics, logs and Events. */
export interface RunOutcome {
  readonly controller: ControllerName;
  readonly object: ObjectRef;
  readonly runId: string;
  readonly trigger: Trigger;
  readonly outcome: Outcome;
  readonly state: State;
  readonly reason: Reason;
  /** Failures in a row, including this one. */
  readonly failures: number;
  /** When the key comes back by itself, in milliseconds since the epoch. */
  readonly nextAt: number | undefined;
  readonly applied: number;
  /** What the run wrote, in order: the first `applied` changes of its plans. */
  readonly written: readonly Change[];
  /**
   * The changes of the last plan that were not written: all of them in a dry run, the remaining ones after a
   * failure.
   */
  readonly unwritten: readonly Change[];
  readonly durationMs: number;
  readonly queuedMs: number;
  readonly dryRun: boolean;
}

export interface ControllerLoop<Memory = unknown> extends IntentTarget {
  /** The loop's memory of its objects, for the code that feeds its queue. */
  readonly memoryStore: ReadMemoryStore<Memory>;
  /** Returns a sentence when a worker is stuck in one run for longer than its timeout and 30 s, otherwise undefined. */
  check(): string | undefined;
  /**
   * The sentence of the last failed run, for the heartbeat; undefined once the object that failed last is healthy
   * again.
   */
  readonly lastError: string | undefined;
  /**
   * Takes no more keys until `resume`: they gather in the queue, and users' requests are refused. Resolves when no
   * run is in progress. A second call replaces the pause.
   */
  pause(pause: Pause): Promise<void>;
  resume(): void;
  /** The pause in force. */
  readonly paused: Pause | undefined;
  /**
   * Takes no more keys, gives the runs in progress until the deadline to finish, then aborts them and records them as
   * `interrupted`. Resolves when the last has ended.
   */
  stop(deadlineMs: number): Promise<void>;
}

/** What carrying out a user's intents requires of a loop. */
export interface IntentTarget {
  /** Reports whether the loop's controller carries out an action on this kind of object. */
  carriesOut(action: ObjectAction["kind"], kind: ObjectRef["kind"]): boolean;
  /** Returns the object that the key stands for; without a UID when the object is unknown. */
  object(key: string): ObjectRef;
  /** Returns the key under which this loop works on the object. */
  keyOf(object: ObjectRef): string;
  /**
   * Runs the key before all others, carries out the action and reports the outcome. Several requests for one key are
   * carried out one after the other.
   */
  retry(key: string, request: RetryRequest): Promise<RetryReport>;
  /** Observes and plans without a write or a record, even while paused. Undefined when the object is gone. */
  preview(key: string, options: PreviewOptions): Promise<Preview | undefined>;
}

export interface PreviewOptions {
  readonly trigger: Trigger;
  /** The action to plan for; without it the plan is what the loop would do by itself. */
  readonly requested?: RequestedAction<ObjectAction> | undefined;
  readonly signal: AbortSignal;
}

export interface RetryRequest {
  readonly intentId: string;
  readonly actor: string;
  /** The hash of the plan that was shown to the user. */
  readonly planHash?: string | undefined;
  readonly requested: RequestedAction<ObjectAction>;
  /** Called before the first write in this intent's name. Must not throw. */
  onWriting?(runId: string): void;
}

export type RetryReport =
  /** The run that carried it out, however it ended. */
  | { readonly kind: "ran"; readonly run: RunOutcome }
  /** The plan has changed; nothing was written in this intent's name. */
  | { readonly kind: "planChanged"; readonly preview: Preview }
  /** The plan does not carry out the requested action. */
  | { readonly kind: "refused"; readonly reason: Reason }
  /** The controller is paused; nothing was observed. */
  | { readonly kind: "paused"; readonly pause: Pause }
  /** The loop stopped first, or its process was no longer allowed to write; the intent stays open. */
  | { readonly kind: "stopped" };

export interface Preview {
  readonly plan: Plan;
  readonly planHash: string;
  /** Why the key's last run failed, while it fails: the same cause may make this plan fail too. */
  readonly lastFailure?: Reason;
}

import { sleepUnlessAborted } from "../../kube/sleep.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Change, Plan } from "../../model/plan.ts";
import type { Clock } from "../../model/time.ts";
import { causeOf, isStale } from "../failure.ts";
import type { ReconcileContext, Reconciler, RunContext } from "../reconciler.ts";
import { ObserveAgain } from "./observe-again.ts";
import { currentPass, type Pass, type Progress } from "./progress.ts";
import type { RunInProgress } from "./run-in-progress.ts";
import type { RunRecords } from "./run-records.ts";

export interface PassOptions<Observed, Typed extends Change, Memory, Answer> {
  readonly reconciler: Reconciler<Observed, Typed, Memory, Answer>;
  readonly key: string;
  /** The run's object. */
  readonly object: ObjectRef;
  readonly clock: Clock;
  readonly dryRun: boolean;
  /** Returns the current memory of the object. */
  memory(): Memory;
  /** Called with every plan of the run, before its first write; returns false when the run must plan again. */
  onPlan(plan: Plan<Typed>): Promise<boolean>;
  /** Waits until the plan may be written; resolves with whether the observation has become too old meanwhile. */
  takeWriteSlot(plan: Plan<Typed>): Promise<boolean>;
  /** Called right before the first write of a plan. */
  onWrite(pass: Pass<Observed, Typed>): void;
  readonly records: Pick<RunRecords, "applied" | "failed">;
  /** Called when a plan that asks for another one has been applied. */
  beforeAgain(): Promise<void>;
}

const MOST_STALE = 6;
const FIRST_PAUSE_MS = 20;
/**
 * How many passes a run may take for plans that ask for another pass. More of them mean that applying does not bring about what was
 * planned.
 */
const MOST_AGAIN = 12;

/**
 * Observes, plans and applies. Repeats that when a plan asks for it and, at most five times, when something has changed since the
 * plan was made. Throws what the reconciler throws; `progress` then holds how far it got. There is no current pass when the
 * object is gone.
 */
export async function runPasses<Observed, Typed extends Change, Memory, Answer>(
  options: PassOptions<Observed, Typed, Memory, Answer>,
  run: RunInProgress,
  progress: Progress<Observed, Typed, Answer>,
): Promise<void> {
  const tries = new Tries(options.clock, run.signal);
  for (;;) {
    try {
      const done = await onePass(options, run, progress);
      if (done && !asksForMore(options, currentPass(progress)?.plan)) return;
      if (!done) continue;
      tries.countAgain();
      await options.beforeAgain();
    } catch (error) {
      await tries.another(error);
    }
  }
}

/** Repeating a plan without changes, or any plan in a dry run, would give the same plan. */
function asksForMore({ dryRun }: { readonly dryRun: boolean }, plan: Plan | undefined): boolean {
  return plan?.again === true && plan.changes.length > 0 && !dryRun;
}

/** Counts how often a run has started over, and why. */
class Tries {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #observed = new Set<string>();
  #stale = 0;
  #again = 0;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  countAgain(): void {
    this.#again += 1;
    if (this.#again < MOST_AGAIN) return;
    throw new Error(
      `its plan did not settle within ${MOST_AGAIN} passes, because what was applied did not become visible; it is retried later`,
    );
  }

  /** Resolves when the run may start over; otherwise throws why it failed. */
  async another(error: unknown): Promise<void> {
    if (this.#signal.aborted) throw causeOf(error);
    if (error instanceof ObserveAgain && this.#mayObserve(error)) return;
    this.#stale += 1;
    if (!isStale(error) || this.#stale >= MOST_STALE) throw causeOf(error);
    await pauseForCache(this.#clock, this.#stale, this.#signal);
  }

  /** Allows this once for the same thing. */
  #mayObserve({ about }: ObserveAgain): boolean {
    if (this.#observed.has(about) || this.#observed.size >= MOST_AGAIN) return false;
    this.#observed.add(about);
    return true;
  }
}

/**
 * Returns false when the pass must be repeated: it waited too long for a write slot, or its plan was made for a user whose
 * request was rejected.
 */
async function onePass<Observed, Typed extends Change, Memory, Answer>(
  options: PassOptions<Observed, Typed, Memory, Answer>,
  run: RunInProgress,
  progress: Progress<Observed, Typed, Answer>,
): Promise<boolean> {
  const pass = await observeAndPlan(options, run, progress);
  if (pass === undefined) return true;
  const { observed, plan } = pass;
  if (!(await options.onPlan(plan))) return false;
  if (plan.changes.length === 0) return true;
  if (options.dryRun) {
    for (const change of plan.changes) options.reconciler.rehearse?.(change, observed);
    return true;
  }
  const grownOld = await options.takeWriteSlot(plan);
  if (grownOld) return false;
  await applyAll(options, run, progress);
  return true;
}

async function observeAndPlan<Observed, Typed extends Change, Memory, Answer>(
  options: PassOptions<Observed, Typed, Memory, Answer>,
  run: RunInProgress,
  progress: Progress<Observed, Typed, Answer>,
): Promise<Pass<Observed, Typed> | undefined> {
  const { reconciler, key, clock } = options;
  run.phase = "observe";
  run.signal.throwIfAborted();
  progress.isCurrent = false;
  const observed = await reconciler.observe(key, contextOf(options, run, progress));
  if (observed === undefined || isReplaced(options)) return undefined;
  const monotonicMs = clock.monotonic();
  const nowMs = clock.now();
  progress.observedAt = { nowMs, monotonicMs };
  const pass = { observed, plan: reconciler.plan(observed, options.memory(), nowMs), applied: 0 };
  progress.pass = pass;
  progress.isCurrent = true;
  progress.planMs += clock.monotonic() - monotonicMs;
  return pass;
}

/** An object that has taken over the name is left to a run of its own: its key was queued when it appeared. */
function isReplaced({
  reconciler,
  key,
  object,
}: {
  readonly reconciler: { object(key: string): ObjectRef };
  readonly key: string;
  readonly object: ObjectRef;
}): boolean {
  const { uid } = reconciler.object(key);
  return object.uid !== undefined && uid !== undefined && uid !== object.uid;
}

async function applyAll<Observed, Typed extends Change, Memory, Answer>(
  options: PassOptions<Observed, Typed, Memory, Answer>,
  run: RunInProgress,
  progress: Progress<Observed, Typed, Answer>,
): Promise<void> {
  const { pass } = progress;
  if (pass === undefined) return;
  run.phase = "apply";
  options.onWrite(pass);
  for (const change of pass.plan.changes) {
    run.signal.throwIfAborted();
    await applyOne(options, run, { progress, pass, change });
    options.records.applied(change);
  }
}

async function applyOne<Observed, Typed extends Change, Memory, Answer>(
  options: PassOptions<Observed, Typed, Memory, Answer>,
  run: RunInProgress,
  {
    progress,
    pass,
    change,
  }: {
    readonly progress: Progress<Observed, Typed, Answer>;
    readonly pass: Pass<Observed, Typed>;
    readonly change: Typed;
  },
): Promise<void> {
  const { clock, reconciler } = options;
  const since = clock.monotonic();
  const made = () => ({ change, at: clock.now(), durationMs: clock.monotonic() - since });
  try {
    const context = contextOf(options, run, progress);
    const answer = await reconciler.apply(change, pass.observed, context);
    pass.applied += 1;
    progress.written.push({ ...made(), answer });
  } catch (thrown) {
    const error = causeOf(thrown);
    progress.failed.push({ ...made(), error });
    options.records.failed(change, error);
    throw thrown;
  }
}

function contextOf<Observed, Typed extends Change, Memory, Answer>(
  options: PassOptions<Observed, Typed, Memory, Answer>,
  run: RunInProgress,
  { pass, written, failed }: Progress<Observed, Typed, Answer>,
): ReconcileContext<Observed, Typed, Memory, Answer> {
  return reconcileContext(run.context(), {
    memory: options.memory(),
    earlier: pass?.observed,
    written,
    failed,
  });
}

/** Adds one reconciler's own memory and observations to a run's context. */
export function reconcileContext<Observed, Typed extends Change, Memory, Answer>(
  run: RunContext,
  own: Pick<
    ReconcileContext<Observed, Typed, Memory, Answer>,
    "memory" | "earlier" | "written" | "failed"
  >,
): ReconcileContext<Observed, Typed, Memory, Answer> {
  return Object.assign(run, own);
}

/**
 * Lets the second attempt start at once; later ones first give the cache a moment to see what the other client
 * wrote.
 */
async function pauseForCache(clock: Clock, pass: number, signal: AbortSignal): Promise<void> {
  if (pass > 1) await sleepUnlessAborted(clock, FIRST_PAUSE_MS * 2 ** (pass - 2), signal);
}

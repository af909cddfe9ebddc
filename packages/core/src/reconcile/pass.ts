import type { ObjectRef } from "../model/object-ref.ts";
import type { Change, Plan } from "../model/plan.ts";
import type { Clock } from "../model/time.ts";
import { causeOf, isStale } from "./failure.ts";
import { LookAgain } from "./look-again.ts";
import { pause } from "./pause.ts";
import type { Reconciler } from "./reconciler.ts";
import type { RunInProgress } from "./run-in-progress.ts";

export interface PassOptions<Observed, Typed extends Change> {
  readonly reconciler: Reconciler<Observed, Typed>;
  readonly key: string;
  /** What the run is about. */
  readonly object: ObjectRef;
  readonly clock: Clock;
  readonly dryRun: boolean;
  /** Called with every plan of the run, before its first write; false when it has to be made anew. */
  onPlan(plan: Plan<Typed>): Promise<boolean>;
  /** Waits for a place among the writing runs; answers whether what was observed has grown too old meanwhile. */
  takePlace(plan: Plan<Typed>): Promise<boolean>;
  /** Called right before the first write of a plan. */
  onWrite(plan: Plan<Typed>, written: readonly Typed[]): void;
  onApplied(change: Typed): void;
  /** Called when all of a plan was applied that asks for another one. */
  beforeAgain(): Promise<void>;
  onApplyFailed(change: Typed, error: unknown): void;
}

/** What a run has come to; filled while it goes, so that it also describes a run that threw. */
export interface Progress<Observed, Typed extends Change> {
  observed: Observed | undefined;
  plan: Plan<Typed> | undefined;
  /** Changes of earlier plans of this run that were applied. */
  written: Typed[];
  /** How many of the current plan's changes were applied. */
  applied: number;
  planMs: number;
}

export function noProgress<Observed, Typed extends Change>(): Progress<Observed, Typed> {
  return { observed: undefined, plan: undefined, written: [], applied: 0, planMs: 0 };
}

/** What has been written so far, and what the last plan holds beside it. */
export function resultOf({ written: before, plan, applied: last }: Progress<unknown, Change>) {
  const planned = plan?.changes ?? [];
  const written = [...before, ...planned.slice(0, last)];
  return { applied: written.length, written, unwritten: planned.slice(last) };
}

const MOST_STALE = 6;
const FIRST_PAUSE_MS = 20;
/** Of plans that ask for another one after them: more means that applying does not bring about what was planned. */
const MOST_AGAIN = 12;

/**
 * Observes, plans and applies; once more when a plan asks for that; and, at most five times, when the world had changed under
 * the plan. Throws what the reconciler throws; `progress` then holds how far it came. `observed` is undefined when the object
 * is gone.
 */
export async function runPasses<Observed, Typed extends Change>(
  options: PassOptions<Observed, Typed>,
  run: RunInProgress,
  progress: Progress<Observed, Typed>,
): Promise<void> {
  const tries = new Tries(options.clock, run.signal);
  for (;;) {
    try {
      const done = await onePass(options, run, progress);
      if (done && !asksForMore(options, progress.plan)) return;
      if (!done) continue;
      tries.countAgain();
      await options.beforeAgain();
    } catch (error) {
      await tries.another(error);
    }
  }
}

/** A plan without changes would only be made again, and so would that of a dry run. */
function asksForMore({ dryRun }: { readonly dryRun: boolean }, plan: Plan | undefined): boolean {
  return plan?.again === true && plan.changes.length > 0 && !dryRun;
}

/** How often a run has begun anew, and for what. */
class Tries {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #looked = new Set<string>();
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
      `its plan did not come to rest in ${MOST_AGAIN} passes, as what was applied did not show; it is tried again later`,
    );
  }

  /** Resolves when the run may begin anew; else throws what made it fail. */
  async another(error: unknown): Promise<void> {
    if (this.#signal.aborted) throw causeOf(error);
    if (error instanceof LookAgain && this.#mayLook(error)) return;
    this.#stale += 1;
    if (!isStale(error) || this.#stale >= MOST_STALE) throw causeOf(error);
    await pauseForCache(this.#clock, this.#stale, this.#signal);
  }

  /** Once for the same thing. */
  #mayLook({ about }: LookAgain): boolean {
    if (this.#looked.has(about) || this.#looked.size >= MOST_AGAIN) return false;
    this.#looked.add(about);
    return true;
  }
}

/** False when it has to be done again: it waited too long for its place, or was planned in the name of somebody else. */
async function onePass<Observed, Typed extends Change>(
  options: PassOptions<Observed, Typed>,
  run: RunInProgress,
  progress: Progress<Observed, Typed>,
): Promise<boolean> {
  const plan = await observeAndPlan(options, run, progress);
  if (plan !== undefined && !(await options.onPlan(plan))) return false;
  if (plan === undefined || plan.changes.length === 0 || options.dryRun) return true;
  const grownOld = await options.takePlace(plan);
  if (grownOld) return false;
  await applyAll(options, run, progress);
  return true;
}

async function observeAndPlan<Observed, Typed extends Change>(
  options: PassOptions<Observed, Typed>,
  run: RunInProgress,
  progress: Progress<Observed, Typed>,
): Promise<Plan<Typed> | undefined> {
  const { reconciler, key, clock } = options;
  run.phase = "observe";
  run.signal.throwIfAborted();
  progress.written.push(...(progress.plan?.changes.slice(0, progress.applied) ?? []));
  progress.plan = undefined;
  progress.applied = 0;
  const observed = await reconciler.observe(key, run.context(progress.written));
  progress.observed = isReplaced(options) ? undefined : observed;
  if (progress.observed === undefined) return undefined;
  const before = clock.monotonic();
  progress.plan = reconciler.plan(progress.observed, clock.now());
  progress.planMs += clock.monotonic() - before;
  return progress.plan;
}

/** Whoever took the name meanwhile is for a run of its own: its coming has put the key into the queue. */
function isReplaced({
  reconciler,
  key,
  object,
}: Pick<PassOptions<unknown, Change>, "key" | "object"> & {
  readonly reconciler: Pick<Reconciler<unknown, Change>, "object">;
}): boolean {
  const { uid } = reconciler.object(key);
  return object.uid !== undefined && uid !== undefined && uid !== object.uid;
}

async function applyAll<Observed, Typed extends Change>(
  options: PassOptions<Observed, Typed>,
  run: RunInProgress,
  progress: Progress<Observed, Typed>,
): Promise<void> {
  const { observed, plan, written } = progress;
  if (observed === undefined || plan === undefined) return;
  run.phase = "apply";
  options.onWrite(plan, written);
  for (const change of plan.changes) {
    run.signal.throwIfAborted();
    try {
      await options.reconciler.apply(change, observed, run.context(written));
    } catch (error) {
      options.onApplyFailed(change, causeOf(error));
      throw error;
    }
    progress.applied += 1;
    options.onApplied(change);
  }
}

/** The second try goes at once; later ones give the cache a moment to see what the other client wrote. */
async function pauseForCache(clock: Clock, pass: number, signal: AbortSignal): Promise<void> {
  if (pass > 1) await pause(clock, FIRST_PAUSE_MS * 2 ** (pass - 2), signal);
}

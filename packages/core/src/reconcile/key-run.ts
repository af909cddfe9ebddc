import { formatDuration } from "../model/duration.ts";
import { uuidV7 } from "../model/ids.ts";
import type { ObjectRef } from "../model/object-ref.ts";
import type { Change, Plan } from "../model/plan.ts";
import type { RunStart, Trigger } from "../model/run.ts";
import type { QueueItem } from "../queue/port.ts";
import { type AuditedChange, auditOfChange } from "./change-audit.ts";
import { endingOfError, endingOfPlan, type RunEnding } from "./ending.ts";
import { type FailedWrite, failedWrite, isRepeated } from "./failed-write.ts";
import { isFenced } from "./failure.ts";
import { isShownAlike, type Judgement, judge, type KeyMemory, type Shown } from "./key-memory.ts";
import type { ControllerLoopOptions, RetryReport, RunOutcome } from "./loop-port.ts";
import { noProgress, type Progress, resultOf, runPasses } from "./pass.ts";
import type { Projection } from "./reconciler.ts";
import { requeue } from "./requeue.ts";
import { inNobodysName, keepWilling, type RetryWaiter, triggerOf } from "./retry-waiters.ts";
import { RunEnded, RunInProgress } from "./run-in-progress.ts";
import {
  objectState,
  type RunFacts,
  runEnd,
  runStart,
  type StateFacts,
  tellsTheSame,
  withoutNews,
} from "./run-records.ts";
import { WritingPlace, type WritingPlaces } from "./writing-place.ts";

/** The loop's means that all its runs share. */
export interface LoopParts<Observed, Typed extends Change>
  extends ControllerLoopOptions<Observed, Typed> {
  readonly runTimeoutMs: number;
  readonly places: WritingPlaces;
  /** By key; an object that is gone has none. */
  readonly memories: Map<string, KeyMemory>;
}

/** What was observed longer ago than this, because others were writing, is observed again before it is acted upon. */
const OLD_AFTER_MS = 2_000;

/** One run of one key, from its place in the queue to its records. */
export class KeyRun<Observed, Typed extends Change> {
  readonly key: string;
  readonly #parts: LoopParts<Observed, Typed>;
  readonly #run: RunInProgress;
  readonly #progress: Progress<Observed, Typed> = noProgress();
  readonly #facts: RunFacts;
  readonly #before: KeyMemory | undefined;
  #waiters: readonly RetryWaiter[];
  #recordedStart: RunStart | undefined;
  readonly #place: WritingPlace;
  #failedWrite: FailedWrite | undefined;
  #busySince: number | undefined;
  #cancelTimeout: () => void = () => undefined;

  constructor(
    parts: LoopParts<Observed, Typed>,
    item: QueueItem<Trigger>,
    waiters: readonly RetryWaiter[],
  ) {
    const { reconciler, identity, memories, dryRun } = parts;
    this.key = item.key;
    this.#parts = parts;
    this.#place = new WritingPlace(parts.clock);
    this.#waiters = waiters;
    const trigger = triggerOf(waiters) ?? inNobodysName(item.why);
    this.#run = new RunInProgress(parts, trigger, waiters[0]?.request.asked);
    const named = reconciler.object(item.key);
    const memory = memories.get(item.key);
    const object = named.uid === undefined ? withUid(named, memory?.uid) : named;
    this.#before = memory?.uid === object.uid ? memory : undefined;
    this.#facts = {
      run: this.#run,
      identity,
      controller: reconciler.controller,
      object,
      attempt: (this.#before?.failures ?? 0) + 1,
      queuedMs: item.queuedMs,
      dryRun: dryRun ?? false,
    };
  }

  /** Milliseconds that it has been at work; waiting for a place does not count. */
  get busyMs(): number {
    return this.#busySince === undefined ? 0 : this.#parts.clock.monotonic() - this.#busySince;
  }

  interrupt(why: string): void {
    this.#run.abort(new RunEnded("interrupted", why));
  }

  /** Runs it to its end, whatever the reconciler throws, and writes it down. */
  async go(): Promise<RunOutcome> {
    this.#startTimeout();
    try {
      const reached = await this.#reconcile();
      await this.#place.letOthersWrite();
      return this.#conclude(reached);
    } finally {
      this.#cancelTimeout();
      this.#place.leave();
    }
  }

  async #reconcile(): Promise<RunEnding> {
    const { reconciler, clock } = this.#parts;
    const { object, dryRun } = this.#facts;
    try {
      await runPasses<Observed, Typed>(
        {
          reconciler,
          key: this.key,
          object,
          clock,
          dryRun,
          onPlan: (plan) => this.#checkWishes(plan),
          takePlace: (plan) => this.#takePlace(plan),
          onWrite: (plan, written) => this.#recordStart(plan, written),
          beforeAgain: () => this.#place.letBurstGoOut(),
          onApplied: (change) => this.#audit(change, "applied"),
          onApplyFailed: (change, error) => this.#auditFailure(change, error),
        },
        this.#run,
        this.#progress,
      );
      return endingOfPlan(this.#progress, dryRun);
    } catch (error) {
      return endingOfError(this.#run, error);
    }
  }

  #conclude(reached: RunEnding): RunOutcome {
    const at = this.#parts.clock.now();
    const { ending, projection } = this.#project(reached, at);
    const judgement = judge(this.#before, { ...ending, at });
    const nextAt = requeue(this.#parts.queue, this.key, { ...ending, at });
    this.#record(ending, { projection, judgement, nextAt, at });
    const outcome = this.#outcome(ending, judgement, nextAt);
    this.#answerWaiters(outcome, ending.error);
    return outcome;
  }

  /** What the pages show; a projection that throws fails the run, so that its defect is seen. */
  #project(ending: RunEnding, endedAt: number) {
    const { observed, plan, applied } = this.#progress;
    const known = this.#before?.projection;
    if (observed === undefined || plan === undefined) {
      return { ending, projection: withoutNews(known) };
    }
    try {
      const { id: runId, startedAt } = this.#run;
      const result = { applied, runId, startedAt, endedAt };
      return { ending, projection: this.#parts.reconciler.project(observed, plan, result) };
    } catch (error) {
      return { ending: endingOfError(this.#run, error), projection: withoutNews(known) };
    }
  }

  /**
   * Writes down the run and the state, unless there is nothing that was not known (a healthy node's heartbeat). What a
   * person asked for names its run, so that one is there whatever it found.
   */
  #record(ending: RunEnding, facts: StateFacts): void {
    const { steps } = this.#run;
    const wrote = this.#recordedStart !== undefined;
    const worked = wrote || steps.length > 0 || this.#waiters.length > 0;
    const state = objectState(this.#facts, facts);
    const pending = this.#facts.dryRun ? this.#progress.plan?.changes : undefined;
    const shown = { state, pending };
    const looked = steps.some((step) => step.system === "cloud");
    const before = this.#before?.shown;
    const stateIsNews = looked || before === undefined || !isShownAlike(before, shown);
    const { judgement, projection } = facts;
    this.#remember(judgement, projection, shown);
    const neverKnown = this.#before === undefined && judgement.state === "gone";
    if (neverKnown && !worked) return;
    if (worked || stateIsNews) {
      this.#parts.recorder.append(runEnd(this.#facts, this.#progress, ending));
    }
    if (stateIsNews) this.#parts.recorder.append(state);
  }

  #remember(judgement: Judgement, known: Projection | undefined, shown: Shown): void {
    const { memories } = this.#parts;
    const { uid } = this.#facts.object;
    if (judgement.state === "gone") memories.delete(this.key);
    else {
      const failedWrite = judgement.failures > 0 ? this.#lastFailedWrite : undefined;
      memories.set(this.key, { ...judgement, uid, failedWrite, projection: known, shown });
    }
  }

  #outcome(ending: RunEnding, judgement: Judgement, nextAt: number | undefined): RunOutcome {
    const { controller, object, queuedMs, dryRun } = this.#facts;
    return {
      controller,
      object,
      runId: this.#run.id,
      trigger: this.#run.trigger,
      outcome: ending.outcome,
      state: judgement.state,
      reason: ending.reason,
      failures: judgement.failures,
      nextAt,
      ...resultOf(this.#progress),
      durationMs: this.#run.durationMs,
      queuedMs,
      dryRun,
    };
  }

  /** What this process was not let finish is for the next leader, or for this one when it has renewed its lease. */
  #answerWaiters(run: RunOutcome, error: unknown): void {
    const isLeft = run.outcome === "interrupted" || isFenced(error);
    const answer: RetryReport = isLeft ? { kind: "stopped" } : { kind: "ran", run };
    for (const { report } of this.#waiters) report(answer);
  }

  /**
   * Before the first write: who was shown another plan gets no write in their name (DESIGN.md "Processes"). False when
   * nobody is left of those for whom it was planned.
   */
  async #checkWishes(plan: Plan<Typed>): Promise<boolean> {
    if (this.#progress.written.length > 0 || this.#waiters.length === 0) return true;
    this.#waiters = await keepWilling(this.#waiters, plan);
    this.#run.trigger = triggerOf(this.#waiters) ?? inNobodysName(this.#run.trigger);
    if (this.#waiters.length > 0) return true;
    this.#run.asked = undefined;
    return false;
  }

  async #takePlace(plan: Plan<Typed>): Promise<boolean> {
    const among = this.#parts.places.of(this.#parts.reconciler, plan);
    if (this.#place.isAmong(among)) return false;
    this.#cancelTimeout();
    this.#busySince = undefined;
    const waitedMs = await this.#place.take(among, this.#run.signal);
    this.#startTimeout();
    return waitedMs > OLD_AFTER_MS;
  }

  #startTimeout(): void {
    const { clock, runTimeoutMs } = this.#parts;
    this.#busySince = clock.monotonic();
    const message = `the run was ended because it took longer than ${formatDuration(runTimeoutMs)}`;
    const end = () => this.#run.abort(new RunEnded("timedOut", message));
    this.#cancelTimeout = clock.after(runTimeoutMs, end);
  }

  /** A later plan is recorded as well before it writes: were this process to die in it, nothing else would show it. */
  #recordStart(plan: Plan<Typed>, written: readonly Typed[]): void {
    const start = runStart(this.#facts, plan, written);
    const known = this.#recordedStart;
    if (known !== undefined && tellsTheSame(known, start)) return;
    this.#recordedStart = start;
    this.#parts.recorder.append(start);
    if (known !== undefined) return;
    for (const { request } of this.#waiters) request.onWriting?.(this.#run.id);
  }

  #audit(change: Typed, result: AuditedChange["result"]): void {
    const { clock, random, recorder } = this.#parts;
    const { identity, controller } = this.#facts;
    const at = clock.now();
    const { id: runId, trigger } = this.#run;
    const id = uuidV7(at, random);
    recorder.append(
      auditOfChange({ id, at, change, result, identity, controller, runId, trigger }),
    );
  }

  get #lastFailedWrite(): FailedWrite | undefined {
    return this.#failedWrite ?? this.#before?.failedWrite;
  }

  #auditFailure(change: Typed, error: unknown): void {
    const failed = failedWrite(change.kind, error, this.#run.signal.aborted);
    if (failed === undefined) return;
    const isKnown = isRepeated(failed, this.#lastFailedWrite);
    this.#failedWrite = failed;
    if (!isKnown) this.#audit(change, failed.result);
  }
}

/** An object that is gone may have lost its UID with the cache's entry; it is still the one that we knew. */
function withUid(object: ObjectRef, uid: string | undefined): ObjectRef {
  return uid === undefined ? object : { ...object, uid };
}

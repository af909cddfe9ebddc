import type { Change, Plan } from "../../model/plan.ts";
import type { Trigger } from "../../model/run.ts";
import type { QueueItem } from "../../queue/port.ts";
import { isFenced } from "../failure.ts";
import type { ControllerLoopOptions, RetryReport, RunOutcome } from "../loop-port.ts";
import type { LastRun, MemoryStore } from "../memory-store.ts";
import { outcomeEvents, outcomeReport, type Reported } from "../outcome-events.ts";
import { RunEffects } from "./emitted-events.ts";
import { type Judgement, judge } from "./judgement.ts";
import { runPasses } from "./pass.ts";
import { asNoUser, keepWilling, type RetryPending, triggerOf } from "./pending-retries.ts";
import {
  currentPass,
  endingOfError,
  endingOfPlan,
  noProgress,
  type Pass,
  type Progress,
  type RunEnding,
  resultOf,
  writtenAndNot,
} from "./progress.ts";
import { requeue } from "./requeue.ts";
import { RunEnded, RunInProgress, tookTooLong } from "./run-in-progress.ts";
import {
  objectState,
  type RunFacts,
  RunRecords,
  type StateFacts,
  withoutNews,
} from "./run-records.ts";
import { isShownAlike } from "./shown.ts";
import { WriteSlot, type WriteSlotPools } from "./write-slot.ts";

/** What all runs of a loop share. */
export interface LoopContext<Observed, Typed extends Change, Memory, Answer>
  extends ControllerLoopOptions<Observed, Typed, Memory, Answer> {
  readonly runTimeoutMs: number;
  readonly slots: WriteSlotPools;
  readonly memoryStore: MemoryStore<Memory>;
}

/** An observation older than this, because other runs were writing, is repeated before the run acts on it. */
const OLD_AFTER_MS = 2_000;

/** One run of one key, from the queue to its records. */
export class KeyRun<Observed, Typed extends Change, Memory, Answer> {
  readonly key: string;
  readonly #context: LoopContext<Observed, Typed, Memory, Answer>;
  readonly #run: RunInProgress;
  readonly #progress: Progress<Observed, Typed, Answer> = noProgress();
  readonly #facts: RunFacts;
  readonly #records: RunRecords;
  readonly #effects: RunEffects;
  readonly #before: LastRun | undefined;
  /** The current memory of the object. */
  memory: Memory;
  #pending: readonly RetryPending[];
  readonly #slot: WriteSlot;
  #busySince: number | undefined;
  #cancelTimeout: () => void = () => undefined;

  constructor(
    dependencies: LoopContext<Observed, Typed, Memory, Answer>,
    item: QueueItem<Trigger>,
    pending: readonly RetryPending[],
  ) {
    const { controller, reconciler, identity, memoryStore, dryRun } = dependencies;
    this.key = item.key;
    this.#context = dependencies;
    this.#slot = new WriteSlot(dependencies.clock);
    this.#pending = pending;
    const trigger = triggerOf(pending) ?? asNoUser(item.why);
    this.#run = new RunInProgress(dependencies, trigger, pending[0]?.request.requested);
    const { object, last, own } = memoryStore.recall(item.key, reconciler.object(item.key));
    this.#before = last;
    this.memory = own;
    this.#facts = {
      run: this.#run,
      identity,
      controller: controller.name,
      object,
      attempt: (this.#before?.failures ?? 0) + 1,
      queuedMs: item.queuedMs,
      dryRun: dryRun ?? false,
    };
    this.#records = new RunRecords(dependencies, this.#facts, this.#before?.failedWrite);
    this.#effects = new RunEffects(dependencies, this.#run);
  }

  /** How many milliseconds the run has worked; waiting for a write slot does not count. */
  get busyMs(): number {
    return this.#busySince === undefined ? 0 : this.#context.clock.monotonic() - this.#busySince;
  }

  interrupt(why: string): void {
    this.#run.abort(new RunEnded("interrupted", why));
  }

  /** Runs the key to the end, whatever the reconciler throws, and records the run. */
  async go(): Promise<RunOutcome> {
    this.#startTimeout();
    try {
      const reached = await this.#reconcile();
      await this.#slot.letOthersWrite();
      return this.#conclude(reached);
    } finally {
      this.#cancelTimeout();
      this.#slot.leave();
    }
  }

  async #reconcile(): Promise<RunEnding> {
    const { reconciler, clock } = this.#context;
    const { object, dryRun } = this.#facts;
    try {
      await runPasses<Observed, Typed, Memory, Answer>(
        {
          reconciler,
          key: this.key,
          object,
          clock,
          dryRun,
          memory: () => this.memory,
          onPlan: (plan) => this.#checkRequests(plan),
          takeWriteSlot: (plan) => this.#takeWriteSlot(plan),
          onWrite: (pass) => this.#beginWriting(pass),
          beforeAgain: () => this.#slot.letBurstGoOut(),
          records: this.#records,
        },
        this.#run,
        this.#progress,
      );
      return endingOfPlan(this.#progress);
    } catch (error) {
      return endingOfError(this.#run, error);
    }
  }

  #conclude(reached: RunEnding): RunOutcome {
    const at = this.#context.clock.now();
    const { ending, projection } = this.#askForConclusion(reached, at);
    const judgement = judge(this.#before, { ...ending, at });
    const nextAt = requeue(this.#context.queue, this.key, { ...ending, at });
    const outcome = this.#outcome(ending, judgement, nextAt);
    this.#record(ending, { projection, judgement, nextAt, at }, this.#report(outcome));
    this.#answerPending(outcome, ending.error);
    return outcome;
  }

  /**
   * Returns what the pages show, and what the reconciler remembers and publishes. If the reconciler throws here, the run
   * fails, so that the defect becomes visible.
   */
  #askForConclusion(ending: RunEnding, at: number) {
    const projection = withoutNews(this.#before?.projection);
    const { pass, isCurrent } = this.#progress;
    if (pass === undefined) return { ending, projection };
    const { observed, plan } = pass;
    try {
      const { memory, effects, view } = this.#context.reconciler.conclude({
        observed,
        plan,
        result: resultOf(this.#progress, this.#run, { error: ending.error, at }),
        memory: this.memory,
        nowMs: at,
      });
      this.memory = memory;
      this.#effects.emit(effects);
      return { ending, projection: isCurrent ? view : projection };
    } catch (error) {
      return { ending: endingOfError(this.#run, error), projection };
    }
  }

  /**
   * Records the run and the state, unless nothing is new (a healthy node's heartbeat). A run that a user asked for, or that
   * sent an Event, is always recorded, because the intent and the Event lead to it.
   */
  #record(ending: RunEnding, facts: StateFacts, reported: Reported | undefined): void {
    const { steps } = this.#run;
    const { events } = this.#effects;
    const traces = steps.length + events.length + this.#pending.length;
    const worked = this.#records.hasStarted || traces > 0;
    const state = objectState(this.#facts, facts);
    const pending = this.#facts.dryRun ? currentPass(this.#progress)?.plan.changes : undefined;
    const shown = { state, pending };
    const looked = steps.some(({ system }) => system === "cloud");
    const before = this.#before?.shown;
    const stateIsNews = looked || before === undefined || !isShownAlike(before, shown);
    const { judgement, projection } = facts;
    const failedWrite = this.#records.lastFailedWrite;
    const last = { ...judgement, projection, shown, reported, failedWrite };
    const ended = { uid: this.#facts.object.uid, own: this.memory, last };
    this.#context.memoryStore.ended(this.key, ended);
    const neverKnown = this.#before === undefined && judgement.state === "gone";
    if (neverKnown && !worked) return;
    if (worked || stateIsNews) this.#records.end(this.#progress, { ...ending, events });
    if (stateIsNews) this.#context.recorder.append(state);
  }

  /** Warns of news, and returns what to remember of that. */
  #report(outcome: RunOutcome): Reported | undefined {
    const { clock, wording } = this.#context;
    const before = this.#before?.reported;
    const { reported, isNews } = outcomeReport(outcome, before, clock.monotonic());
    if (isNews) {
      this.#effects.emit(
        outcomeEvents(outcome.object, outcome.reason, wording?.(outcome, this.memory)),
      );
    }
    return reported;
  }

  #outcome(ending: RunEnding, judgement: Judgement, nextAt: number | undefined): RunOutcome {
    const { controller, object, queuedMs, dryRun } = this.#facts;
    return {
      ...{ controller, object },
      runId: this.#run.id,
      trigger: this.#run.trigger,
      outcome: ending.outcome,
      state: judgement.state,
      reason: ending.reason,
      failures: judgement.failures,
      nextAt,
      applied: this.#progress.written.length,
      ...writtenAndNot(this.#progress),
      durationMs: this.#run.durationMs,
      queuedMs,
      dryRun,
    };
  }

  /** Leaves what this process was not allowed to finish to the next leader, or to itself once it has renewed its Lease. */
  #answerPending(run: RunOutcome, error: unknown): void {
    const isLeft = run.outcome === "interrupted" || isFenced(error);
    const answer: RetryReport = isLeft ? { kind: "stopped" } : { kind: "ran", run };
    for (const { report } of this.#pending) report(answer);
  }

  /**
   * Runs before the first write: nothing is written in the name of a user who was shown another plan (DESIGN.md "Processes").
   * Returns false when no user remains for whom the plan was made.
   */
  async #checkRequests(plan: Plan<Typed>): Promise<boolean> {
    if (this.#progress.written.length > 0 || this.#pending.length === 0) return true;
    this.#pending = await keepWilling(this.#pending, plan);
    this.#run.trigger = triggerOf(this.#pending) ?? asNoUser(this.#run.trigger);
    if (this.#pending.length > 0) return true;
    this.#run.requested = undefined;
    return false;
  }

  async #takeWriteSlot(plan: Plan<Typed>): Promise<boolean> {
    const { slots, reconciler, clock } = this.#context;
    const among = slots.of(reconciler, plan);
    if (this.#slot.isAmong(among)) return false;
    const since = clock.monotonic();
    await reconciler.untilReady?.(plan);
    this.#cancelTimeout();
    this.#busySince = undefined;
    await this.#slot.take(among, this.#run.signal);
    this.#startTimeout();
    return clock.monotonic() - since > OLD_AFTER_MS;
  }

  #startTimeout(): void {
    const { clock, runTimeoutMs } = this.#context;
    this.#busySince = clock.monotonic();
    this.#cancelTimeout = clock.after(runTimeoutMs, () => {
      this.#run.abort(tookTooLong(runTimeoutMs));
    });
  }

  #beginWriting({ observed, plan }: Pass<Observed, Typed>): void {
    if (this.#records.start(this.#progress)) {
      for (const { request } of this.#pending) request.onWriting?.(this.#run.id);
    }
    const { reconciler, memoryStore } = this.#context;
    const announcement = reconciler.announce?.(observed, plan, this.memory);
    if (announcement === undefined) return;
    this.memory = announcement.memory;
    const { uid } = this.#facts.object;
    memoryStore.announced(this.key, { uid, own: this.memory, last: this.#before });
    this.#effects.emit(announcement.effects);
  }
}

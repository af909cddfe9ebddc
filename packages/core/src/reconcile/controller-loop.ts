import { carriesOut, type ObjectAction } from "../model/actions/action.ts";
import type { Pause } from "../model/controls.ts";
import { formatDuration } from "../model/language/duration.ts";
import { type ObjectRef, objectName } from "../model/object-ref.ts";
import { type Change, planHash } from "../model/plan.ts";
import type { Trigger } from "../model/run.ts";
import { cause } from "../model/sentence.ts";
import { messageOf } from "../model/values/message-of.ts";
import type { QueueItem } from "../queue/port.ts";
import {
  type ControllerLoop,
  type ControllerLoopOptions,
  DEFAULT_RUN_TIMEOUT_MS,
  type Preview,
  type PreviewOptions,
  type RetryReport,
  type RetryRequest,
  type RunOutcome,
} from "./loop-port.ts";
import { MemoryStore } from "./memory-store.ts";
import { KeyRun, type LoopContext } from "./run/key-run.ts";
import { reconcileContext } from "./run/pass.ts";
import { PendingRetries } from "./run/pending-retries.ts";
import { RunEnded, RunInProgress } from "./run/run-in-progress.ts";
import { StartThrottle } from "./run/start-throttle.ts";
import { WriteSlotPools } from "./run/write-slot.ts";

/**
 * Turns a reconciler into a controller: takes keys, observes, plans, applies, records and requeues
 * (DESIGN.md "The one idea"). Whatever a reconciler throws ends only that run. Runs until `stop`.
 */
export function startControllerLoop<Observed, Typed extends Change, Memory, Answer>(
  options: ControllerLoopOptions<Observed, Typed, Memory, Answer>,
): ControllerLoop<Memory> {
  return new Loop(options);
}

/**
 * Enough for many runs to share one call to the cloud. More would only use memory, and their observations would grow old while they wait
 * for a write slot.
 */
const DEFAULT_OBSERVING = 256;
/** How much longer than its timeout a run may take to end before it counts as wedged. */
const WEDGED_AFTER_MS = 30_000;
/** How long aborted runs may take to record that they were interrupted. */
const FAREWELL_MS = 2_000;

class Loop<Observed, Typed extends Change, Memory, Answer> implements ControllerLoop<Memory> {
  readonly memoryStore: MemoryStore<Memory>;
  readonly #options: ControllerLoopOptions<Observed, Typed, Memory, Answer>;
  readonly #context: LoopContext<Observed, Typed, Memory, Answer>;
  readonly #running = new Set<KeyRun<Observed, Typed, Memory, Answer>>();
  readonly #pending = new PendingRetries();
  readonly #startThrottle: StartThrottle | undefined;
  readonly #workers: Promise<void>;
  #paused: Pause | undefined;
  #lastFailure: { readonly name: string; readonly sentence: string } | undefined;

  constructor(options: ControllerLoopOptions<Observed, Typed, Memory, Answer>) {
    this.#options = options;
    this.memoryStore = new MemoryStore(options.reconciler.noMemory);
    // Reconcilers without bulk plans need no throttle: runs that read from the cloud together share
    // a call.
    this.#startThrottle =
      options.reconciler.isInBulk === undefined ? undefined : new StartThrottle(options.clock);
    const runTimeoutMs = options.runTimeoutMs ?? DEFAULT_RUN_TIMEOUT_MS;
    const slots = new WriteSlotPools(options.concurrency, options.isConcurrencyStrict);
    this.#context = { ...options, runTimeoutMs, slots, memoryStore: this.memoryStore };
    const observing = Math.max(options.observing ?? DEFAULT_OBSERVING, options.concurrency);
    const workers = Array.from({ length: observing }, () => this.#work());
    this.#workers = Promise.all(workers).then(() => undefined);
  }

  get lastError(): string | undefined {
    return this.#lastFailure?.sentence;
  }

  get paused(): Pause | undefined {
    return this.#paused;
  }

  check(): string | undefined {
    const limitMs = this.#context.runTimeoutMs + WEDGED_AFTER_MS;
    const wedged = [...this.#running].find((run) => run.busyMs > limitMs);
    if (wedged === undefined) return undefined;
    return `${this.#options.controller.name} has been busy with ${wedged.key} for ${formatDuration(wedged.busyMs)} and does not end; restart the process.`;
  }

  async pause(pause: Pause): Promise<void> {
    this.#paused = pause;
    this.#pending.reject({ kind: "paused", pause });
    await this.#options.queue.pause();
  }

  resume(): void {
    this.#paused = undefined;
    this.#options.queue.resume();
  }

  async stop(deadlineMs: number): Promise<void> {
    const { clock, queue } = this.#options;
    const cancelDeadline = clock.after(deadlineMs, () => this.#interrupt());
    let cancelFarewell: (() => void) | undefined;
    const farewell = new Promise<void>((resolve) => {
      cancelFarewell = clock.after(deadlineMs + FAREWELL_MS, resolve);
    });
    await Promise.race([Promise.all([queue.shutDown(), this.#workers]), farewell]);
    cancelDeadline();
    cancelFarewell?.();
    this.#pending.stop();
  }

  carriesOut(action: ObjectAction["kind"], kind: ObjectRef["kind"]): boolean {
    return carriesOut(this.#options.controller, action, kind);
  }

  object(key: string): ObjectRef {
    return this.#options.reconciler.object(key);
  }

  keyOf(object: ObjectRef): string {
    return this.#options.reconciler.keyOf?.(object) ?? objectName(object);
  }

  retry(key: string, request: RetryRequest): Promise<RetryReport> {
    if (this.#paused !== undefined) {
      return Promise.resolve({ kind: "paused", pause: this.#paused });
    }
    const report = this.#pending.wait(key, request);
    this.#addForPending(key);
    return report;
  }

  async preview(
    key: string,
    { trigger, requested, signal }: PreviewOptions,
  ): Promise<Preview | undefined> {
    const { reconciler, clock } = this.#options;
    const run = new RunInProgress(this.#context, trigger, requested);
    const end = () => run.abort(new RunEnded("interrupted", "The observation was cancelled."));
    signal.addEventListener("abort", end, { once: true });
    try {
      signal.throwIfAborted();
      const memory = this.memoryStore.of(key, this.object(key).uid);
      const unwritten = { memory, earlier: undefined, written: [], failed: [] };
      const context = reconcileContext<Observed, Typed, Memory, Answer>(run.context(), unwritten);
      const observed = await reconciler.observe(key, context);
      if (observed === undefined) return undefined;
      const plan = reconciler.plan(observed, memory, clock.now());
      return { plan, planHash: await planHash(plan), ...this.#failureOf(key) };
    } finally {
      signal.removeEventListener("abort", end);
    }
  }

  #failureOf(key: string): Pick<Preview, "lastFailure"> {
    const known = this.memoryStore.get(key);
    const isOfAnother = known?.uid !== this.object(key).uid;
    if (known?.last === undefined || known.last.failures === 0 || isOfAnother) return {};
    return { lastFailure: known.last.reason };
  }

  /** Makes the key due if requests wait for it. */
  #addForPending(key: string): void {
    const trigger = this.#pending.nextTrigger(key);
    if (trigger !== undefined) this.#options.queue.add(key, trigger, "person");
  }

  async #work(): Promise<void> {
    for (;;) {
      const item = await this.#options.queue.take();
      if (item === undefined) return;
      await this.#startThrottle?.next();
      await this.#run(item);
    }
  }

  async #run(item: QueueItem<Trigger>): Promise<void> {
    const pending = this.#pending.take(item.key);
    try {
      if (pending.length === 0 && this.#isEcho(item)) return;
      const run = new KeyRun(this.#context, item, pending);
      this.#note(await this.#runToItsEnd(run), run.memory);
    } catch (error) {
      for (const { report } of pending) report({ kind: "stopped" });
      this.#noteDefect(item, error);
    } finally {
      this.#addForPending(item.key);
      this.#options.queue.done(item.key);
    }
  }

  #isEcho({ key, why, failures }: QueueItem<Trigger>): boolean {
    const { reconciler, clock } = this.#options;
    if (failures > 0 || reconciler.isSettled === undefined) return false;
    const memory = this.memoryStore.of(key, this.object(key).uid);
    return reconciler.isSettled(key, { trigger: why, memory, nowMs: clock.now() });
  }

  async #runToItsEnd(run: KeyRun<Observed, Typed, Memory, Answer>): Promise<RunOutcome> {
    this.#running.add(run);
    try {
      return await run.go();
    } finally {
      this.#running.delete(run);
    }
  }

  #note(outcome: RunOutcome, memory: Memory): void {
    const failed = outcome.outcome === "failed" || outcome.outcome === "timedOut";
    const { name } = outcome.object;
    if (failed) this.#lastFailure = { name, sentence: `${name}: ${cause(outcome.reason)}.` };
    else if (this.#lastFailure?.name === name) this.#lastFailure = undefined;
    this.#options.onOutcome?.(outcome, memory);
  }

  /**
   * Reports an error of the loop itself rather than of the run, for example when `onOutcome` throws. The key must
   * not be lost.
   */
  #noteDefect(item: QueueItem<Trigger>, error: unknown): void {
    const message = messageOf(error);
    this.#lastFailure = { name: item.key, sentence: `${item.key}: cause unknown: ${message}.` };
    this.#options.queue.addFailed(item.key, { kind: "retry" });
  }

  #interrupt(): void {
    for (const run of this.#running) {
      run.interrupt("The controller was stopped during this run.");
    }
  }
}

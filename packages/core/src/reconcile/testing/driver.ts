import type { Change, Plan } from "../../model/plan.ts";
import type { Trigger } from "../../model/run.ts";
import type { Clock } from "../../model/time.ts";
import type { Effect } from "../effects.ts";
import type {
  FailedAttempt,
  Projection,
  ReconcileContext,
  Reconciler,
  RunContext,
  RunResult,
  Written,
} from "../reconciler.ts";

/** Runs a reconciler for one object pass by pass, without a loop. It keeps the memory and what is published. */
export class Driver<Observed, Typed extends Change, Memory, Answer> {
  readonly effects: Effect[] = [];
  readonly #reconciler: Reconciler<Observed, Typed, Memory, Answer>;
  readonly #clock: Clock;
  memory: Memory;
  /** Called before each write. */
  beforeWrite: () => void | Promise<void> = () => undefined;
  #uid: string | undefined;

  constructor(reconciler: Reconciler<Observed, Typed, Memory, Answer>, clock: Clock) {
    this.#reconciler = reconciler;
    this.#clock = clock;
    this.memory = reconciler.noMemory;
  }

  /** Returns the context as of now; `earlier` is what the run's previous pass observed. */
  context(run: RunContext, earlier?: Observed): ReconcileContext<Observed, Typed, Memory, Answer> {
    const { memory } = this;
    const now = { nowMs: this.#clock.now(), monotonicMs: this.#clock.monotonic() };
    const within: RunContext["within"] = (limitMs, work) => {
      let cancel: () => void = () => undefined;
      const limit = new Promise<undefined>((resolve) => {
        cancel = this.#clock.after(limitMs, () => resolve(undefined));
      });
      return Promise.race([work, limit]).finally(cancel);
    };
    return { ...run, ...now, within, memory, earlier, written: [], failed: [] };
  }

  isSettled(key: string, trigger: Trigger): boolean {
    const known = { trigger, memory: this.memory, nowMs: this.#clock.now() };
    return this.#reconciler.isSettled?.(key, known) === true;
  }

  observe(key: string, run: RunContext): Promise<Observed | undefined> {
    const { uid } = this.#reconciler.object(key);
    if (uid !== this.#uid) this.memory = this.#reconciler.noMemory;
    this.#uid = uid;
    return this.#reconciler.observe(key, this.context(run));
  }

  plan(observed: Observed): Plan<Typed> {
    return this.#reconciler.plan(observed, this.memory, this.#clock.now());
  }

  /** Runs one pass without its writes, like a run that was aborted before them. */
  async preview(key: string, run: RunContext): Promise<Observed | undefined> {
    const observed = await this.observe(key, run);
    if (observed === undefined) this.memory = this.#reconciler.noMemory;
    else this.#conclude(run, { observed, plan: this.plan(observed), written: [], failed: [] });
    return observed;
  }

  /** Runs one pass to its end. Throws what a write throws, after `conclude`. */
  async run(
    key: string,
    run: RunContext,
  ): Promise<{ readonly plan: Plan<Typed>; readonly view: Projection }> {
    const observed = await this.observe(key, run);
    if (observed === undefined) throw new Error(`${key} is gone.`);
    const plan = this.plan(observed);
    const written: Written<Typed, Answer>[] = [];
    const failed: FailedAttempt<Typed>[] = [];
    const when = () => ({ at: this.#clock.now(), durationMs: 0 });
    for (const change of plan.changes) {
      try {
        await this.beforeWrite();
        const answer = await this.#reconciler.apply(change, observed, this.context(run));
        written.push({ change, answer, ...when() });
      } catch (error) {
        failed.push({ change, error, ...when() });
        break;
      }
    }
    const view = this.#conclude(run, { observed, plan, written, failed });
    const [failure] = failed;
    if (failure !== undefined) throw failure.error;
    return { plan, view };
  }

  #conclude(
    { runId, trigger }: RunContext,
    pass: {
      readonly observed: Observed;
      readonly plan: Plan<Typed>;
      readonly written: readonly Written<Typed, Answer>[];
      readonly failed: readonly FailedAttempt<Typed>[];
    },
  ): Projection {
    const { observed, plan, written, failed } = pass;
    const nowMs = this.#clock.now();
    const observedAt = { nowMs, monotonicMs: this.#clock.monotonic() };
    const { memory, effects, view } = this.#reconciler.conclude({
      observed,
      plan,
      result: {
        ...runResult({ runId, trigger, startedAt: nowMs, endedAt: nowMs, observedAt }),
        applied: written.length,
        isDone: written.length === plan.changes.length,
        written,
        failed,
        error: failed[0]?.error,
      },
      memory: this.memory,
      nowMs,
    });
    this.memory = memory;
    this.effects.push(...effects);
    return view;
  }
}

/** Returns the result of a run that wrote nothing and in which nothing failed. */
export function runResult<Shape extends Partial<RunResult<never>>>(shape: Shape) {
  return {
    runId: "r",
    trigger: { kind: "start" },
    startedAt: 0,
    endedAt: 0,
    observedAt: { nowMs: 0, monotonicMs: 0 },
    applied: 0,
    isDone: true,
    written: [],
    failed: [],
    error: undefined,
    isGone: false,
    ...shape,
  } as const;
}

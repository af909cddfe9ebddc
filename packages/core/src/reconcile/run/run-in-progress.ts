import type { KubeCall } from "../../kube/client.ts";
import type { ObjectAction, RequestedAction } from "../../model/actions/action.ts";
import type { CallPriority } from "../../model/call-priority.ts";
import { formatDuration } from "../../model/language/duration.ts";
import { englishOf } from "../../model/language/text.ts";
import { type Phrase, phrased } from "../../model/reasons/phrases.ts";
import type { Step, Trigger } from "../../model/run.ts";
import type { Clock, Random } from "../../model/time.ts";
import { type AnswerBody, recordedBody } from "../../model/values/answer-body.ts";
import { uuidV7 } from "../../model/values/ids.ts";
import { withoutSecrets } from "../../model/values/secrets.ts";
import type { RunContext, Written } from "../reconciler.ts";

export interface RunDependencies {
  readonly clock: Clock;
  readonly random: Random;
}

/** More steps than anybody reads; a runaway run's further steps are dropped. */
const MOST_STEPS = 200;
const LONGEST_ERROR = 500;
const NOTHING_WRITTEN: readonly Written[] = [];

/** One run's clock, signal and steps; provides the reconciler's context. */
export class RunInProgress {
  readonly id: string;
  readonly startedAt: number;
  readonly steps: Step[] = [];
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #startedMonotonic: number;
  readonly #ends = new AbortController();
  trigger: Trigger;
  requested: RequestedAction<ObjectAction> | undefined;
  phase: Step["phase"] = "observe";

  constructor(
    dependencies: RunDependencies,
    trigger: Trigger,
    requested?: RequestedAction<ObjectAction>,
  ) {
    this.#clock = dependencies.clock;
    this.startedAt = dependencies.clock.now();
    this.#startedMonotonic = dependencies.clock.monotonic();
    this.id = uuidV7(this.startedAt, dependencies.random);
    this.signal = this.#ends.signal;
    this.trigger = trigger;
    this.requested = requested;
  }

  get durationMs(): number {
    return this.#clock.monotonic() - this.#startedMonotonic;
  }

  abort(why: RunEnded): void {
    this.#ends.abort(why);
  }

  /** Returns why the run was aborted, if it was. */
  get ended(): RunEnded | undefined {
    return this.signal.reason instanceof RunEnded ? this.signal.reason : undefined;
  }

  context(): RunContext {
    const { startedAt, signal } = this;
    return {
      runId: this.id,
      trigger: this.trigger,
      requested: this.requested,
      written: NOTHING_WRITTEN,
      signal,
      nowMs: this.#clock.now(),
      monotonicMs: this.#clock.monotonic(),
      kube: { signal, observer: (call) => this.#kubeStep(call) },
      priority: callPriority(this.trigger),
      cloud: (directory) => directory.for({ startedAt, signal, step: (step) => this.#step(step) }),
      within: (limitMs, work) => this.#within(limitMs, work),
    };
  }

  /** Resolves with undefined when the time is up first. */
  #within<Result>(limitMs: number, work: Promise<Result>): Promise<Result | undefined> {
    let cancel: () => void = () => undefined;
    const limit = new Promise<undefined>((resolve) => {
      cancel = this.#clock.after(limitMs, () => resolve(undefined));
    });
    return Promise.race([work, limit]).finally(cancel);
  }

  #kubeStep(call: KubeCall): void {
    this.#step({
      system: "kube",
      operation: `${call.verb.toUpperCase()} ${call.resource}`,
      target: call.name,
      offsetMs: call.startedAt - this.startedAt,
      durationMs: call.durationMs,
      limiterWaitMs: call.limiterWaitMs,
      attempt: Math.max(1, call.attempts),
      sharedBy: 1,
      ...(call.status === 0 ? {} : { status: call.status }),
      ...(call.error === undefined ? {} : failureOf(call.error, call.body)),
    });
  }

  #step(step: Omit<Step, "phase">): void {
    if (this.steps.length >= MOST_STEPS) return;
    const attempt = step.attempt + triesBefore(this.steps, step);
    this.steps.push({ ...step, attempt, phase: this.phase });
  }
}

function failureOf(error: string, said: AnswerBody | undefined): Pick<Step, "error" | "body"> {
  const body = said === undefined ? undefined : recordedBody(said);
  return {
    error: withoutSecrets(error).slice(0, LONGEST_ERROR),
    ...(body === undefined ? {} : { body }),
  };
}

/**
 * Counts how often the run has made the same call without success. A call for many objects never counts as a repetition, as its targets
 * differ each time.
 */
function triesBefore(steps: readonly Step[], step: Omit<Step, "phase">): number {
  if (step.sharedBy > 1) return 0;
  const before = steps.findLast(
    ({ system, operation, target, sharedBy }) =>
      system === step.system &&
      operation === step.operation &&
      target === step.target &&
      sharedBy === 1,
  );
  return before?.error === undefined ? 0 : before.attempt;
}

/** Why a run's signal aborted. */
export class RunEnded extends Error {
  readonly outcome: "timedOut" | "interrupted";
  readonly phrase: Phrase | undefined;

  constructor(outcome: "timedOut" | "interrupted", message: string, phrase?: Phrase) {
    super(message);
    this.outcome = outcome;
    this.phrase = phrase;
  }
}

export function tookTooLong(limitMs: number): RunEnded {
  const limit = englishOf(() => formatDuration(limitMs));
  const { message, phrase } = phrased("message", "runTooLong", limit);
  return new RunEnded("timedOut", message, phrase);
}

function callPriority(trigger: Trigger): CallPriority {
  if (trigger.kind === "intent") return "person";
  return trigger.kind === "period" ? "refresh" : "new";
}

import type { KubeCall } from "../kube/client.ts";
import { type AnswerBody, recordedBody } from "../model/answer-body.ts";
import { uuidV7 } from "../model/ids.ts";
import type { Change } from "../model/plan.ts";
import type { Step, Trigger } from "../model/run.ts";
import { withoutSecrets } from "../model/secrets.ts";
import type { Clock, Random } from "../model/time.ts";
import type { Asked, ObjectWish } from "../model/wish.ts";
import type { BalancerDirectory, Balancers } from "../provider/balancer-port.ts";
import type { InstanceDirectory } from "../provider/instance-directory.ts";
import type { InstanceLookups } from "../provider/lookup-port.ts";
import type { CallPriority } from "../provider/provider.ts";
import type { RunContext } from "./reconciler.ts";

export interface RunMeans {
  readonly clock: Clock;
  readonly random: Random;
  readonly directory?: InstanceDirectory;
  readonly balancers?: BalancerDirectory;
}

/** More steps than anybody reads; the rest of a run that goes astray is dropped. */
const MOST_STEPS = 200;
const LONGEST_ERROR = 500;

/** One run's clock, signal and steps; gives the reconciler its context. */
export class RunInProgress {
  readonly id: string;
  readonly startedAt: number;
  readonly steps: Step[] = [];
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #directory: InstanceDirectory | undefined;
  readonly #balancers: BalancerDirectory | undefined;
  readonly #startedMonotonic: number;
  readonly #ends = new AbortController();
  trigger: Trigger;
  asked: Asked<ObjectWish> | undefined;
  phase: Step["phase"] = "observe";

  constructor(means: RunMeans, trigger: Trigger, asked?: Asked<ObjectWish>) {
    this.#clock = means.clock;
    this.#directory = means.directory;
    this.#balancers = means.balancers;
    this.startedAt = means.clock.now();
    this.#startedMonotonic = means.clock.monotonic();
    this.id = uuidV7(this.startedAt, means.random);
    this.signal = this.#ends.signal;
    this.trigger = trigger;
    this.asked = asked;
  }

  get durationMs(): number {
    return this.#clock.monotonic() - this.#startedMonotonic;
  }

  abort(why: RunEnded): void {
    this.#ends.abort(why);
  }

  /** Why it was aborted, if it was. */
  get ended(): RunEnded | undefined {
    return this.signal.reason instanceof RunEnded ? this.signal.reason : undefined;
  }

  /** `written`: what earlier plans of the run have written. */
  context(written: readonly Change[] = []): RunContext {
    return {
      runId: this.id,
      trigger: this.trigger,
      asked: this.asked,
      written: [...written],
      signal: this.signal,
      nowMs: this.#clock.now(),
      kube: { signal: this.signal, observer: (call) => this.#kubeStep(call) },
      instances: this.#lookups(),
      balancers: this.#balancersOfRun(),
      priority: callPriority(this.trigger),
    };
  }

  #lookups(): InstanceLookups {
    const { startedAt, signal } = this;
    if (this.#directory === undefined) return NO_LOOKUPS;
    return this.#directory.for({ startedAt, signal, step: (step) => this.#step(step) });
  }

  #balancersOfRun(): Balancers {
    const { startedAt, signal } = this;
    if (this.#balancers === undefined) return NO_BALANCERS;
    return this.#balancers.for({ startedAt, signal, step: (step) => this.#step(step) });
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

/** How often the run made the same call in vain. A call for many is nobody's repetition: its targets are others each time. */
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

  constructor(outcome: "timedOut" | "interrupted", message: string) {
    super(message);
    this.outcome = outcome;
  }
}

export function callPriority(trigger: Trigger): CallPriority {
  if (trigger.kind === "intent") return "person";
  return trigger.kind === "period" ? "refresh" : "new";
}

const NO_LOOKUPS: InstanceLookups = {
  lookup: () => Promise.reject(new Error("This controller was started without instance lookups.")),
};

const noBalancers = () =>
  Promise.reject(new Error("This controller was started without load balancers."));

const NO_BALANCERS: Balancers = {
  observe: noBalancers,
  apply: noBalancers,
  owned: noBalancers,
};

import type { ControllerName } from "../../model/controller-names.ts";
import { type ObjectRef, objectName } from "../../model/object-ref.ts";
import type { Change, Next } from "../../model/plan.ts";
import type { ObjectState } from "../../model/records/node-record.ts";
import type { EmittedEvent, RunEnd, RunStart } from "../../model/run.ts";
import type { Clock, Random } from "../../model/time.ts";
import { uuidV7 } from "../../model/values/ids.ts";
import { type AuditedChange, auditOfChange } from "../intents/change-audit.ts";
import type { Recorder } from "../ports.ts";
import type { Projection } from "../reconciler.ts";
import { type FailedWrite, failedWrite, isRepeated } from "./failed-write.ts";
import type { Judgement } from "./judgement.ts";
import { currentPass, type Progress, writtenAndNot } from "./progress.ts";
import type { RunInProgress } from "./run-in-progress.ts";

/** What all records of one run share. */
export interface RunFacts {
  readonly run: RunInProgress;
  readonly identity: { readonly cluster: string; readonly instance: string };
  readonly controller: ControllerName;
  readonly object: ObjectRef;
  readonly attempt: number;
  readonly queuedMs: number;
  readonly dryRun: boolean;
}

function runStart(facts: RunFacts, progress: Progress<unknown, Change>): RunStart {
  return { type: "run.start", ...common(facts), ...whatItPlans(progress) };
}

/** Reports whether two starts of one run have the same changes. */
function recordsTheSame(first: RunStart, second: RunStart): boolean {
  return JSON.stringify(first.changes) === JSON.stringify(second.changes);
}

function runEnd(facts: RunFacts, progress: Progress<unknown, Change>, ending: Ended): RunEnd {
  return {
    type: "run.end",
    ...common(facts),
    ...whatItPlans(progress),
    outcome: ending.outcome,
    reason: ending.reason,
    next: ending.next,
    durationMs: facts.run.durationMs,
    planMs: progress.planMs,
    applied: progress.written.length,
    steps: [...facts.run.steps],
    events: [...ending.events],
  };
}

/** How a run ended, and the Events that it emitted. */
type Ended = Pick<RunEnd, "outcome" | "reason"> & {
  readonly next: Next;
  readonly events: readonly EmittedEvent[];
};

interface RecordParts {
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly random: Random;
}

/** The records of one run: its starts, its end, and an audit entry for each change. */
export class RunRecords {
  readonly #context: RecordParts;
  readonly #facts: RunFacts;
  #start: RunStart | undefined;
  #failedWrite: FailedWrite | undefined;

  /** `failedBefore`: the last write to fail in the streak before this run. */
  constructor(dependencies: RecordParts, facts: RunFacts, failedBefore: FailedWrite | undefined) {
    this.#context = dependencies;
    this.#facts = facts;
    this.#failedWrite = failedBefore;
  }

  get hasStarted(): boolean {
    return this.#start !== undefined;
  }

  get lastFailedWrite(): FailedWrite | undefined {
    return this.#failedWrite;
  }

  /**
   * Must be called before a plan's first write. Later plans are recorded as well: if this process died during one, nothing
   * else would show it. Returns whether the plan is the run's first.
   */
  start(progress: Progress<unknown, Change>): boolean {
    const start = runStart(this.#facts, progress);
    const known = this.#start;
    if (known !== undefined && recordsTheSame(known, start)) return false;
    this.#start = start;
    this.#context.recorder.append(start);
    return known === undefined;
  }

  end(progress: Progress<unknown, Change>, ending: Ended): void {
    this.#context.recorder.append(runEnd(this.#facts, progress, ending));
  }

  applied(change: Change): void {
    this.#audit(change, "applied");
  }

  failed(change: Change, error: unknown): void {
    const failed = failedWrite(change.kind, error, this.#facts.run.signal.aborted);
    if (failed === undefined) return;
    const isKnown = isRepeated(failed, this.#failedWrite);
    this.#failedWrite = failed;
    if (!isKnown) this.#audit(change, failed.result);
  }

  #audit(change: Change, result: AuditedChange["result"]): void {
    const { clock, random, recorder } = this.#context;
    const { run, identity, controller } = this.#facts;
    const at = clock.now();
    const id = uuidV7(at, random);
    const { id: runId, trigger } = run;
    recorder.append(
      auditOfChange({ id, at, change, result, identity, controller, runId, trigger }),
    );
  }
}

export interface StateFacts {
  readonly projection: Projection | undefined;
  readonly judgement: Judgement;
  readonly nextAt: number | undefined;
  readonly at: number;
}

export function objectState(
  { run, identity, controller, object, dryRun }: RunFacts,
  { projection, judgement, nextAt, at }: StateFacts,
): ObjectState {
  const { state, reason, since, failures, outcome } = judgement;
  return {
    name: objectName(object),
    uid: object.uid ?? "",
    ...(isStateKind(object.kind) ? { kind: object.kind } : {}),
    drift: "notChecked",
    ...projection,
    type: "state",
    cluster: identity.cluster,
    controller,
    at,
    state,
    reason,
    since,
    failures,
    runId: run.id,
    outcome,
    ...(nextAt === undefined ? {} : { nextAt }),
    ...(dryRun ? { dryRun } : {}),
  };
}

function isStateKind(kind: ObjectRef["kind"]): boolean {
  return kind !== "Controller" && kind !== "Cluster" && kind !== "User";
}

/**
 * Returns what a run that could not observe keeps: everything except the cloud's answers, which may no longer be true.
 */
export function withoutNews(projection: Projection | undefined): Projection | undefined {
  if (projection === undefined) return undefined;
  const { cloud: _cloud, ...known } = projection;
  return { ...known, drift: "notChecked" };
}

function common({ run, identity, controller, object, attempt, queuedMs, dryRun }: RunFacts) {
  return {
    id: run.id,
    cluster: identity.cluster,
    instance: identity.instance,
    controller,
    object,
    trigger: run.trigger,
    attempt,
    startedAt: run.startedAt,
    queuedMs,
    dryRun,
  };
}

/** Returns the changes that earlier plans of the run have written, and all of the last plan. */
function whatItPlans(progress: Progress<unknown, Change>) {
  const { written, unwritten } = writtenAndNot(progress);
  return {
    changes: [...written, ...unwritten],
    notTaken: [...(currentPass(progress)?.plan.notTaken ?? [])],
  };
}

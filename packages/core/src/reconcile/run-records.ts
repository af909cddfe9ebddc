import type { ControllerName } from "../model/controller-names.ts";
import type { ObjectState } from "../model/node-record.ts";
import { type ObjectRef, objectName } from "../model/object-ref.ts";
import type { Change, Next, Plan } from "../model/plan.ts";
import type { RunEnd, RunStart } from "../model/run.ts";
import type { Judgement } from "./key-memory.ts";
import type { Progress } from "./pass.ts";
import type { Projection } from "./reconciler.ts";
import type { RunInProgress } from "./run-in-progress.ts";

/** What all records of one run have in common. */
export interface RunFacts {
  readonly run: RunInProgress;
  readonly identity: { readonly cluster: string; readonly instance: string };
  readonly controller: ControllerName;
  readonly object: ObjectRef;
  readonly attempt: number;
  readonly queuedMs: number;
  readonly dryRun: boolean;
}

/** `written` are the changes that earlier plans of this run have made. */
export function runStart(facts: RunFacts, plan: Plan, written: readonly Change[]): RunStart {
  return { type: "run.start", ...common(facts), ...whatItPlans(plan, written) };
}

/** Whether two starts of one run tell of the same changes. */
export function tellsTheSame(first: RunStart, second: RunStart): boolean {
  return JSON.stringify(first.changes) === JSON.stringify(second.changes);
}

export function runEnd(
  facts: RunFacts,
  progress: Progress<unknown, Change>,
  ending: Pick<RunEnd, "outcome" | "reason"> & { readonly next: Next },
): RunEnd {
  return {
    type: "run.end",
    ...common(facts),
    ...whatItPlans(progress.plan, progress.written),
    ...ending,
    durationMs: facts.run.durationMs,
    planMs: progress.planMs,
    applied: progress.written.length + progress.applied,
    steps: [...facts.run.steps],
  };
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

function isStateKind(kind: ObjectRef["kind"]): kind is NonNullable<ObjectState["kind"]> {
  return kind !== "Controller" && kind !== "Cluster" && kind !== "User";
}

/** A run that could not see keeps what was known, but does not pass off the cloud's old word as news. */
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

function whatItPlans(plan: Plan | undefined, written: readonly Change[]) {
  return {
    changes: [...written, ...(plan?.changes ?? [])],
    notTaken: [...(plan?.notTaken ?? [])],
  };
}

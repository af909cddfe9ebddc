import type { Change, Next, Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import type { Outcome } from "../../model/run.ts";
import { isFenced, reasonOfError } from "../failure.ts";
import type { FailedAttempt, Moment, RunResult, Written } from "../reconciler.ts";
import type { RunInProgress } from "./run-in-progress.ts";

/** One plan of a run, and its progress. */
export interface Pass<Observed, Typed extends Change> {
  readonly observed: Observed;
  readonly plan: Plan<Typed>;
  /** How many of the plan's changes were applied. */
  applied: number;
}

/** How far a run has come. It is updated during the run, so that it also describes a run that threw. */
export interface Progress<Observed, Typed extends Change, Answer = unknown> {
  /** The last one. */
  pass: Pass<Observed, Typed> | undefined;
  /** Whether the last pass shows the present: no longer when the next observation begins or the object is gone. */
  isCurrent: boolean;
  readonly written: Written<Typed, Answer>[];
  readonly failed: FailedAttempt<Typed>[];
  observedAt: Moment;
  planMs: number;
}

export function noProgress<Observed, Typed extends Change, Answer>(): Progress<
  Observed,
  Typed,
  Answer
> {
  const observedAt = { nowMs: 0, monotonicMs: 0 };
  return {
    pass: undefined,
    isCurrent: false,
    written: [],
    failed: [],
    observedAt,
    planMs: 0,
  };
}

/** Returns the pass that shows the present. */
export function currentPass<Observed, Typed extends Change>({
  pass,
  isCurrent,
}: Pick<Progress<Observed, Typed>, "pass" | "isCurrent">): Pass<Observed, Typed> | undefined {
  return isCurrent ? pass : undefined;
}

/** Returns what has been written so far, and the changes of the last plan that were not. */
export function writtenAndNot(progress: Progress<unknown, Change>): {
  readonly written: readonly Change[];
  readonly unwritten: readonly Change[];
} {
  const pass = currentPass(progress);
  return {
    written: progress.written.map(({ change }) => change),
    unwritten: pass?.plan.changes.slice(pass.applied) ?? [],
  };
}

/** Returns how the last plan and its run ended, for the reconciler's `conclude`. */
export function resultOf<Typed extends Change, Answer>(
  progress: Progress<unknown, Typed, Answer>,
  { id: runId, trigger, startedAt }: Pick<RunInProgress, "id" | "trigger" | "startedAt">,
  { error, at: endedAt }: { readonly error: unknown; readonly at: number },
): RunResult<Typed, Answer> {
  const { pass, isCurrent, written, failed, observedAt } = progress;
  const applied = pass?.applied ?? 0;
  const hasFailed = error !== undefined;
  return {
    ...{ runId, trigger, startedAt, endedAt, observedAt, applied, written, failed, error },
    isDone: !hasFailed && applied === pass?.plan.changes.length,
    isGone: !hasFailed && !isCurrent,
  };
}

/** How a run ended: its outcome, the reason, and the present state. */
export interface RunEnding {
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly next: Next;
  /** The error, if any. */
  readonly error: unknown;
}

/** Returns the ending of a run that threw nothing. */
export function endingOfPlan(
  progress: Pick<Progress<unknown, Change>, "pass" | "isCurrent" | "written">,
): RunEnding {
  const settled = progress.written.length > 0 ? "changed" : "unchanged";
  const next: Next = currentPass(progress)?.plan.next ?? GONE;
  const outcome = next.kind === "settled" ? settled : next.kind;
  const isHeldBack = outcome === "failed" && next.reason.code === "LeaseLost";
  return {
    outcome: isHeldBack ? "interrupted" : outcome,
    reason: next.reason,
    next,
    error: undefined,
  };
}

const GONE: Next = { kind: "settled", reason: { code: "ObjectGone" } };

/**
 * Returns the ending of a run that threw. Its own timeout and the loop's stop take precedence over the errors that
 * they caused.
 */
export function endingOfError(run: RunInProgress, error: unknown): RunEnding {
  const { ended } = run;
  if (ended === undefined) return failing(outcomeOfError(error), reasonOfError(error), error);
  if (ended.outcome === "interrupted") {
    return failing("interrupted", { code: "RunInterrupted" }, error);
  }
  const { message, phrase } = ended;
  const reason: Reason = {
    code: "Unexplained",
    message,
    ...(phrase === undefined ? {} : { phrase }),
  };
  return failing("timedOut", reason, error);
}

/** A write held back because the Lease was lost has not failed: the next leader carries on, or this process when it leads again. */
function outcomeOfError(error: unknown): "failed" | "interrupted" {
  return isFenced(error) ? "interrupted" : "failed";
}

function failing(
  outcome: "failed" | "timedOut" | "interrupted",
  reason: Reason,
  error: unknown,
): RunEnding {
  return { outcome, reason, next: { kind: "failed", reason }, error };
}

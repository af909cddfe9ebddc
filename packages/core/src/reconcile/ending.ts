import type { Change, Next } from "../model/plan.ts";
import type { Reason } from "../model/reason.ts";
import type { Outcome } from "../model/run.ts";
import { isFenced, reasonOfError } from "./failure.ts";
import type { Progress } from "./pass.ts";
import type { RunInProgress } from "./run-in-progress.ts";

/** How a run ended: its outcome, why, and what holds now. */
export interface RunEnding {
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly next: Next;
  /** What was thrown, if anything. */
  readonly error: unknown;
}

/** The ending of a run that threw nothing. A dry run changes nothing, whatever its plan says. */
export function endingOfPlan(
  { observed, plan, written, applied }: Progress<unknown, Change>,
  dryRun: boolean,
): RunEnding {
  const changed = !dryRun && written.length + applied > 0;
  const settled = changed ? "changed" : "unchanged";
  const next: Next =
    observed === undefined || plan === undefined
      ? { kind: "settled", reason: { code: "ObjectGone" } }
      : plan.next;
  const outcome = next.kind === "settled" ? settled : next.kind;
  const isHeldBack = outcome === "failed" && next.reason.code === "LeaseLost";
  return {
    outcome: isHeldBack ? "interrupted" : outcome,
    reason: next.reason,
    next,
    error: undefined,
  };
}

/** The ending of a run that threw. Its own timeout and the loop's stop come before whatever they made fail. */
export function endingOfError(run: RunInProgress, error: unknown): RunEnding {
  const { ended } = run;
  if (ended === undefined) return failing(outcomeOfError(error), reasonOfError(error), error);
  if (ended.outcome === "interrupted") {
    return failing("interrupted", { code: "RunInterrupted" }, error);
  }
  return failing("timedOut", { code: "Unexplained", message: ended.message }, error);
}

/** What the lost Lease held back has failed nowhere: the next leader carries on, or this process when it leads again. */
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

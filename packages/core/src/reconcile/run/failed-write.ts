import type { ChangeKind } from "../../model/plan.ts";
import type { ReasonCode } from "../../model/reason.ts";
import { isFenced, isStale, mayBeDone, reasonOfError } from "../failure.ts";

/** What is remembered of a failed write, to compare the next one with it. */
export interface FailedWrite {
  readonly kind: ChangeKind;
  readonly code: ReasonCode;
  /** `unknown`: it may have been made, as only its answer was lost. */
  readonly result: "failed" | "unknown";
}

/**
 * Undefined for a write that did not really fail: the plan was stale, the Lease lost, or the run ended before anything left.
 * `isOver`: the run's signal has aborted.
 */
export function failedWrite(
  kind: ChangeKind,
  error: unknown,
  isOver: boolean,
): FailedWrite | undefined {
  const result = mayBeDone(error) ? "unknown" : "failed";
  if (result === "failed" && (isStale(error) || isFenced(error) || isOver)) return undefined;
  return { kind, code: reasonOfError(error).code, result };
}

/**
 * Whether an audit entry records it already. The first failure of a streak has an entry; its repetitions are in the runs.
 * Another kind of change is another streak, and so is one whose answer was lost: it may have been made, and no later
 * entry would record it.
 */
export function isRepeated(failed: FailedWrite, last: FailedWrite | undefined): boolean {
  return last?.kind === failed.kind && last.code === failed.code && last.result === failed.result;
}

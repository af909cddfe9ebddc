import type { ChangeKind } from "../../model/plan.ts";
import type { ReasonCode } from "../../model/reason.ts";
import { isFenced, isStale, mayBeDone, reasonOfError } from "../failure.ts";

/** What is remembered of a failed write for comparison with the next one. */
export interface FailedWrite {
  readonly kind: ChangeKind;
  readonly code: ReasonCode;
  /** `unknown`: only the answer was lost, so the write may have been made. */
  readonly result: "failed" | "unknown";
}

/**
 * Returns undefined for a write that did not really fail: the plan was stale, the Lease lost, or the run ended before
 * anything was sent. `isOver`: the run's signal has aborted.
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
 * Reports whether an audit entry already records the failure. The first failure of a streak has an entry; its repetitions
 * are only in the runs. Another kind of change starts another streak, and so does a lost answer: that write may have been
 * made, and no later entry would record it.
 */
export function isRepeated(failed: FailedWrite, last: FailedWrite | undefined): boolean {
  return last?.kind === failed.kind && last.code === failed.code && last.result === failed.result;
}

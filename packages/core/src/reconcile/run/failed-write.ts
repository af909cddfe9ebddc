import type { ChangeKind } from "../../model/plan.ts";
import type { ReasonCode } from "../../model/reason.ts";
import { isFenced, isStale, mayBeDone, reasonOfError } from "../failure.ts";

/** A write that failed, as far as the next failure is compared with it. */
export interface FailedWrite {
  readonly kind: ChangeKind;
  readonly code: ReasonCode;
  /** `unknown`: it may have been made, as only its answer was lost. */
  readonly result: "failed" | "unknown";
}

/**
 * What failed; undefined when nothing did: the plan was stale, the Lease lost, or the run ended before anything left.
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
 * Whether an entry records it already. The first failed attempt of a streak is an entry; its repetitions are in the runs.
 * Another kind of change is another streak, and so is one whose answer was lost: it may have been made, and no later
 * entry would tell.
 */
export function isRepeated(failed: FailedWrite, last: FailedWrite | undefined): boolean {
  return last?.kind === failed.kind && last.code === failed.code && last.result === failed.result;
}

import { KEPT_RESULTS, seenResult } from "../../model/actions/intent-result.ts";
import type { Reason } from "../../model/reason.ts";
import { eventMessage } from "../../model/sentence.ts";
import { reasonOfError } from "../failure.ts";
import type { Preview } from "../loop-port.ts";
import type { IntentReport } from "../ports.ts";
import { NoAnswer } from "./answer-within.ts";
import type { IntentWork } from "./intent-work.ts";
import { refusalOf } from "./refusal.ts";

export function rejected(result: string): IntentReport {
  return { state: "rejected", result };
}

/** Returns a report of a reason, in the words of its Event unless another sentence is given. */
export function saying(
  state: IntentReport["state"],
  reason: Reason,
  result = eventMessage(reason),
): IntentReport {
  return { state, result, evidence: { reason } };
}

export function failedBy(error: unknown): IntentReport {
  return error instanceof NoAnswer
    ? { state: "failed", result: error.message }
    : saying("failed", reasonOfError(error));
}

/** Returns the answer to a preview; if the plan refuses the action, with why. */
export function answerOf({ intent }: IntentWork, planned: Preview): IntentReport {
  const preview = previewOf(planned);
  const refusal = refusalOf(planned.plan, intent.action);
  if (refusal === undefined) return { state: "verified", preview };
  return { ...saying("rejected", refusal), preview };
}

/** Reports that nothing was written: the user is shown the current plan and may ask again. */
export function planChanged(planned: Preview): IntentReport {
  return { ...rejected(KEPT_RESULTS.planChanged()), preview: previewOf(planned) };
}

/**
 * Reports a refusal. If an earlier leader may have carried the action out, a plan that finds nothing to do is a
 * success.
 */
export function refused({ intent }: IntentWork, reason: Reason): IntentReport {
  if (reason.code !== "NothingToDo" || intent.state === "requested") {
    return saying("rejected", reason);
  }
  return seen(reason);
}

export function seen(reason: Reason): IntentReport {
  return saying("verified", reason, seenResult(reason));
}

function previewOf({ plan, planHash, lastFailure }: Preview): NonNullable<IntentReport["preview"]> {
  const { changes, notTaken, next } = plan;
  return {
    planHash,
    changes: [...changes],
    notTaken: [...notTaken],
    next,
    ...(lastFailure === undefined ? {} : { lastFailure }),
  };
}

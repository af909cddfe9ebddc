import type { Action, RequestedAction } from "../../model/actions/action.ts";
import type { Intent, LoopProgress } from "../../model/actions/intent.ts";
import {
  ANSWER_LIMITS_MS,
  KEPT_RESULTS,
  noAnswerResult,
  seenResult,
} from "../../model/actions/intent-result.ts";
import type { ControllerName } from "../../model/controller-names.ts";
import { englishOf } from "../../model/language/text.ts";
import type { Reason } from "../../model/reason.ts";
import { eventMessage } from "../../model/sentence.ts";
import type { Clock } from "../../model/time.ts";
import { reasonOfError } from "../failure.ts";
import type { IntentTarget, Preview } from "../loop-port.ts";
import type { IntentReport } from "../ports.ts";
import type { ControlTarget } from "./control-target.ts";
import { refusalOf } from "./refusal.ts";

/** One intent and the means to carry it out. */
export interface IntentWork {
  readonly intent: Intent;
  /** The loop of the controller that it names; absent when that does not run here. */
  readonly loop: IntentTarget | undefined;
  /** Those that run here, for what several of them carry out. */
  readonly loops: ReadonlyMap<ControllerName, IntentTarget>;
  /** Absent when this process keeps no control record. */
  readonly controls: ControlTarget | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called when a run begins to write in the intent's name. */
  onWriting(runId: string): void;
  /** Called when one of several loops begins or ends its part. */
  onProgress(loops: readonly LoopProgress[]): void;
}

export const PREVIEW_LIMIT_MS = ANSWER_LIMITS_MS.preview;

/** The action with who asks for it. */
export function requestedActionOf<Kind extends Action>(
  intent: Intent,
  action: Kind,
): RequestedAction<Kind> {
  return { action, intentId: intent.id, by: intent.actor, why: intent.why };
}

/** The hash to compare; after a write in this intent's name the work is carried on, whatever the plan is by now. */
export function hashToCompare({ planHash, runIds }: Intent): string | undefined {
  return runIds.length > 0 ? undefined : planHash;
}

export function rejected(result: string): IntentReport {
  return { state: "rejected", result };
}

/** A report that says a reason: as its Event's message unless another sentence is given. */
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

/** A preview's answer; an action that the plan refuses gets the sentence why beside it. */
export function answerOf({ intent }: IntentWork, planned: Preview): IntentReport {
  const preview = previewOf(planned);
  const refusal = refusalOf(planned.plan, intent.action);
  if (refusal === undefined) return { state: "verified", preview };
  return { ...saying("rejected", refusal), preview };
}

/** Nothing was written: the user looks at the current plan and asks again. */
export function planChanged(planned: Preview): IntentReport {
  return { ...rejected(KEPT_RESULTS.planChanged()), preview: previewOf(planned) };
}

/** That nothing is left to do is what was wanted when an earlier leader may have done it. */
export function refused({ intent }: IntentWork, reason: Reason): IntentReport {
  if (reason.code !== "NothingToDo" || intent.state === "requested") {
    return saying("rejected", reason);
  }
  return seen(reason);
}

export function seen(reason: Reason): IntentReport {
  return saying("verified", reason, seenResult(reason));
}

/**
 * Lets a call answer for so long, whether it heeds its signal or not. Throws NoAnswer then, and what the call throws when
 * this leader's time ends.
 */
export async function answerWithin<Answer>(
  { clock, signal }: IntentWork,
  limitMs: number,
  call: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const limit = new AbortController();
  const over = new Promise<never>((_resolve, reject) => {
    limit.signal.addEventListener("abort", () => reject(limit.signal.reason), { once: true });
  });
  const cancel = clock.after(limitMs, () => limit.abort(new NoAnswer(limitMs)));
  try {
    return await Promise.race([call(AbortSignal.any([signal, limit.signal])), over]);
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    cancel();
  }
}

/** Nobody answered in time; the message is for the user. */
export class NoAnswer extends Error {
  constructor(limitMs: number) {
    super(englishOf(() => noAnswerResult(limitMs)));
  }
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

import { ANSWER_LIMITS_MS, noAnswerResult } from "../../model/actions/intent-result.ts";
import { englishOf } from "../../model/language/text.ts";
import type { IntentWork } from "./intent-work.ts";

export const PREVIEW_LIMIT_MS = ANSWER_LIMITS_MS.preview;

/**
 * Returns the answer of a call that may take this many milliseconds, whether it heeds its signal or not. Throws NoAnswer after
 * that, and what the call throws when this leader's term ends.
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

/** Thrown when no answer came in time; the message is for the user. */
export class NoAnswer extends Error {
  constructor(limitMs: number) {
    super(englishOf(() => noAnswerResult(limitMs)));
  }
}

import { processWide } from "../process-wide.ts";
import { type AttemptOutcome, type SignInAttempt, signInDelays } from "./sign-in-delays.ts";

/**
 * Carries out an attempt to sign in after the delay that earlier attempts caused; an attempt that throws counts as refused. Returns
 * undefined without trying if too many are waiting already.
 */
export async function delayedAttempt<Answer extends { readonly kind: AttemptOutcome }>(
  attempt: SignInAttempt,
  work: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const delays = processWide("sign-in-delays", signInDelays);
  const delay = delays.begin(attempt, Date.now());
  if (delay === undefined) return undefined;
  let outcome: AttemptOutcome = "refused";
  try {
    await elapsed(delay);
    const answer = await work();
    outcome = answer.kind;
    return answer;
  } finally {
    delays.end(attempt, { outcome, now: Date.now() });
  }
}

function elapsed(ms: number): Promise<void> {
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}

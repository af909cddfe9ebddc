import { isOperationError } from "@cloudwright/store/operations/errors";
import { codeSchema } from "@cloudwright/store/users/authenticator";
import { clientOf } from "../requests/client.ts";
import { auth } from "./auth.ts";
import { type CodeStep, codeStepOf, endCodeStep } from "./code-step.ts";
import { delayedAttempt } from "./delayed-attempt.ts";
import { readLocalSignInForm } from "./local-sign-in-form.ts";
import { redirectTo, refuseSignIn, refuseUnseen, whyRefused } from "./sign-in-answers.ts";

/**
 * Starts a session for a code of the authenticator app or a recovery code, once the password was accepted (password-request.ts). Wrong
 * codes are delayed longer each time, counted together with wrong passwords.
 */
export async function codeRequest(request: Request): Promise<Response> {
  const form = await readLocalSignInForm(request);
  if (form.kind === "refused") return form.answer;
  const { next } = form;
  const step = codeStepOf(request.headers, Date.now());
  if (step === undefined) return refuseSignIn("code-expired", next);
  const { data: code } = codeSchema.safeParse(form.text("code"));
  if (code === undefined) return refuseSignIn("code", next);
  return signIn(request, { step, code, next });
}

async function signIn(
  request: Request,
  { step, code, next }: { readonly step: CodeStep; readonly code: string; readonly next: string },
): Promise<Response> {
  const { headers } = request;
  const { userId, passwordId, email } = step;
  const attempt = { address: clientOf(headers).address, email, step: "code" } as const;
  try {
    const body = { userId, passwordId, code };
    const answer = await delayedAttempt(attempt, () => auth().api.signInByCode({ body, headers }));
    if (answer === undefined) return refuseUnseen(request, "limit", next);
  } catch (error) {
    const isLocked = isOperationError(error) && error.code === "Limit";
    return refuseSignIn(whyRefused(error, isLocked ? "code-locked" : "code"), next);
  }
  const answer = redirectTo(next);
  endCodeStep(answer);
  return answer;
}

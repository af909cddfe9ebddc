import { storableText } from "@cloudwright/store/text/storable-text";
import { z } from "zod";
import { clientOf } from "../requests/client.ts";
import { auth } from "./auth.ts";
import { keepCodeStep } from "./code-step.ts";
import { delayedAttempt } from "./delayed-attempt.ts";
import { readLocalSignInForm } from "./local-sign-in-form.ts";
import {
  askForCode,
  redirectTo,
  refuseSignIn,
  refuseUnseen,
  whyRefused,
} from "./sign-in-answers.ts";

const credentialsSchema = z.object({
  email: storableText(254).trim().toLowerCase().min(1),
  password: storableText(200).min(1),
});
type Credentials = z.infer<typeof credentialsSchema>;

/**
 * Starts a session for an e-mail address and its password, or asks for the code of an account with an authenticator app. Every refusal
 * looks the same, whatever was wrong; repeated failures are delayed longer each time (sign-in-delays.ts).
 */
export async function passwordRequest(request: Request): Promise<Response> {
  const form = await readLocalSignInForm(request);
  if (form.kind === "refused") return form.answer;
  const { next } = form;
  const fields = { email: form.text("email"), password: form.text("password") };
  const { data: body } = credentialsSchema.safeParse(fields);
  if (body === undefined) return refuseSignIn("password", next);
  return signIn(request, { body, next });
}

async function signIn(
  request: Request,
  { body, next }: { readonly body: Credentials; readonly next: string },
): Promise<Response> {
  const { headers } = request;
  const attempt = { address: clientOf(headers).address, email: body.email };
  try {
    const work = () => auth().api.signInByPassword({ body, headers });
    const answer = await delayedAttempt(attempt, work);
    if (answer === undefined) return refuseUnseen(request, "limit", next);
    if (answer.kind === "signed-in") return redirectTo(next);
    const asked = askForCode(next);
    keepCodeStep(asked, answer.step, Date.now());
    return asked;
  } catch (error) {
    return refuseSignIn(whyRefused(error, "password"), next);
  }
}

import { storableText } from "@cloudwright/store/text/storable-text";
import { z } from "zod";
import { environment } from "../environment.ts";
import { processWide } from "../process-wide.ts";
import { clientOf } from "../requests/client.ts";
import { isSameOrigin, safeNextPath } from "../requests/same-origin.ts";
import { auth } from "./auth.ts";
import { readForm, redirectTo, refuseSignIn, refuseUnseen, whyRefused } from "./sign-in-answers.ts";
import { signInDelays } from "./sign-in-delays.ts";

const credentialsSchema = z.object({
  email: storableText(254).trim().toLowerCase().min(1),
  password: storableText(200).min(1),
});

/**
 * Starts a session for an e-mail address and its password. What is refused is refused the same, whatever was wrong; what fails
 * repeatedly takes longer each time (sign-in-delays.ts).
 */
export async function passwordRequest(request: Request): Promise<Response> {
  const { headers } = request;
  if (!isSameOrigin(headers, environment().publicOrigin)) return refuseUnseen(request, "origin");
  const form = await readForm(request);
  const next = safeNextPath(form?.text("next"));
  if (!environment().localSignIn) return refuseSignIn("local", next);
  const fields = { email: form?.text("email"), password: form?.text("password") };
  const { data: body } = credentialsSchema.safeParse(fields);
  if (body === undefined) return refuseSignIn("password", next);
  const attempt = { address: clientOf(headers).address, email: body.email };
  const delays = processWide("sign-in-delays", signInDelays);
  const delay = delays.begin(attempt, Date.now());
  if (delay === undefined) return refuseUnseen(request, "limit", next);
  let failed = true;
  try {
    await elapsed(delay);
    await auth().api.signInByPassword({ body, headers });
    failed = false;
  } catch (error) {
    return refuseSignIn(whyRefused(error, "password"), next);
  } finally {
    delays.end(attempt, { failed, now: Date.now() });
  }
  return redirectTo(next);
}

function elapsed(ms: number): Promise<void> {
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}

import { storableText } from "@cloudwright/store/storable-text";
import { z } from "zod";
import { auth } from "./auth.ts";
import { clientOf } from "./client.ts";
import { environment } from "./environment.ts";
import { rateLimiter } from "./rate-limit.ts";
import { isSameOrigin, safeNextPath } from "./same-origin.ts";
import { readForm, redirectTo, refuseSignIn, refuseUnseen, whyRefused } from "./sign-in-answers.ts";

const MINUTE_MS = 60_000;
const ofAddress = rateLimiter({ attempts: 20, withinMs: MINUTE_MS });
/** Also when each try comes from another address. */
const ofAccount = rateLimiter({ attempts: 10, withinMs: 15 * MINUTE_MS });

const credentialsSchema = z.object({
  email: storableText(254).trim().toLowerCase().min(1),
  password: storableText(200).min(1),
});

/** Starts a session for an e-mail address and its password. What is refused is refused the same, whatever was wrong. */
export async function passwordRequest(request: Request): Promise<Response> {
  const { headers } = request;
  if (!isSameOrigin(headers, environment().publicOrigin)) return refuseUnseen(request, "origin");
  const form = await readForm(request);
  const next = safeNextPath(form?.text("next"));
  const fields = { email: form?.text("email"), password: form?.text("password") };
  const { data: body } = credentialsSchema.safeParse(fields);
  if (body === undefined) return refuseSignIn("password", next);
  if (!isAllowed(headers, body.email)) return refuseUnseen(request, "limit", next);
  try {
    await auth().api.signInByPassword({ body, headers });
  } catch (error) {
    return refuseSignIn(whyRefused(error, "password"), next);
  }
  ofAccount.forget(body.email);
  return redirectTo(next);
}

function isAllowed(headers: Headers, email: string): boolean {
  const now = Date.now();
  return ofAddress.allow(clientOf(headers).address, now) && ofAccount.allow(email, now);
}

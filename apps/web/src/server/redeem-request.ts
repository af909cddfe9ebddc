import { auth } from "./auth.ts";
import { clientOf } from "./client.ts";
import { environment } from "./environment.ts";
import { rateLimiter } from "./rate-limit.ts";
import { isSameOrigin, safeNextPath } from "./same-origin.ts";
import { readForm, redirectTo, refuseSignIn, refuseUnseen, whyRefused } from "./sign-in-answers.ts";

const limiter = rateLimiter({ attempts: 10, withinMs: 60_000 });

/** What a token may be made of; whether there is one is the ledger's to say. */
const TOKEN = /^[\w-]{1,200}$/;

/** Uses the link up and starts the session. A POST, so that nothing that merely looks at links can use them up. */
export async function redeemRequest(request: Request): Promise<Response> {
  const { headers } = request;
  if (!isSameOrigin(headers, environment().publicOrigin)) return refuseUnseen(request, "origin");
  if (!limiter.allow(clientOf(headers).address, Date.now())) return refuseUnseen(request, "limit");
  const form = await readForm(request);
  const token = form?.text("token") ?? "";
  if (form === undefined || !TOKEN.test(token)) return refuseSignIn("link");
  try {
    await auth().api.redeemSignInLink({ body: { token }, headers });
  } catch (error) {
    return refuseSignIn(whyRefused(error, "link"));
  }
  return redirectTo(safeNextPath(form.text("next")));
}

import { environment } from "../environment.ts";
import { isSameOrigin, safeNextPath } from "../requests/same-origin.ts";
import { auth } from "./auth.ts";
import { readForm, redirectTo, refuseSignIn, refuseUnseen, whyRefused } from "./sign-in-answers.ts";

/** What a token may be made of; whether there is one is the ledger's to say. */
const TOKEN = /^[\w-]{1,200}$/;

/**
 * Uses the link up and starts the session. A POST, so that nothing that merely looks at links can use them up. Nobody guesses
 * 256 bits, so tries are not counted: the link is the way in for whoever is delayed elsewhere.
 */
export async function redeemRequest(request: Request): Promise<Response> {
  const { headers } = request;
  if (!isSameOrigin(headers, environment().publicOrigin)) return refuseUnseen(request, "origin");
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

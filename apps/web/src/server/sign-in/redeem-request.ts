import { environment } from "../environment.ts";
import { isSameOrigin, safeNextPath } from "../requests/same-origin.ts";
import { auth } from "./auth.ts";
import { readForm, redirectTo, refuseSignIn, refuseUnseen, whyRefused } from "./sign-in-answers.ts";

/** The format of a token; whether it exists is for the ledger to say. */
const TOKEN = /^[\w-]{1,200}$/;

/**
 * Redeems the link and starts the session. It is a POST, so that software which merely follows links cannot use them up. Nobody guesses 256
 * bits, so attempts are not counted: the link is the way in for users who are delayed elsewhere.
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

import { environment } from "../environment.ts";
import { isSameOrigin, safeNextPath } from "../requests/same-origin.ts";
import { readForm, refuseSignIn, refuseUnseen } from "./sign-in-answers.ts";

type LocalSignInForm =
  /** `next` is where the user wanted to go. A missing field is read as empty. */
  | { readonly kind: "form"; readonly next: string; text(name: string): string }
  | { readonly kind: "refused"; readonly answer: Response };

/** Reads the form of a local sign-in step, if it comes from the dashboard's own page and local accounts may sign in. */
export async function readLocalSignInForm(request: Request): Promise<LocalSignInForm> {
  const { publicOrigin, localSignIn } = environment();
  if (!isSameOrigin(request.headers, publicOrigin))
    return { kind: "refused", answer: await refuseUnseen(request, "origin") };
  const form = await readForm(request);
  const next = safeNextPath(form?.text("next"));
  return localSignIn
    ? { kind: "form", next, text: (name) => form?.text(name) ?? "" }
    : { kind: "refused", answer: refuseSignIn("local", next) };
}

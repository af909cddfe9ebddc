import { t } from "@cloudwright/core/model/language/text";
import { isOperationError } from "@cloudwright/store/operations/errors";
import { peekSignInToken, type SignedInUser } from "@cloudwright/store/users/sign-in";
import { environment } from "../environment.ts";
import { ledger } from "../ledger.ts";
import { log } from "../log.ts";
import { codeStepOf } from "./code-step.ts";

export type LinkState =
  | { readonly kind: "none" }
  | { readonly kind: "usable"; readonly user: SignedInUser }
  | { readonly kind: "refused"; readonly why: string };

/** Returns what the sign-in page can say about a link without using it up. */
export async function linkState(token: string | undefined): Promise<LinkState> {
  if (token === undefined) return { kind: "none" };
  try {
    return { kind: "usable", user: await peekSignInToken(ledger(), token) };
  } catch (error) {
    if (isOperationError(error)) return { kind: "refused", why: error.sentence() };
    log.error("A sign-in link could not be looked up", { error: String(error) });
    return {
      kind: "refused",
      why: t`The dashboard cannot reach its database, so nobody can sign in at the moment. Open the link again once the database is back.`,
    };
  }
}

/** Returns whose code the page asks for; undefined if this browser has not sent a right password within the last minutes. */
export function codeAskedOf(requested: Headers): { readonly email: string } | undefined {
  const step = codeStepOf(requested, Date.now());
  return step && { email: step.email };
}

/** Returns the ways to sign in that the page offers besides a link. */
export function signInWays(): {
  readonly provider: { readonly name: string } | undefined;
  readonly local: boolean;
} {
  const { oidc, localSignIn } = environment();
  return { provider: oidc && { name: oidc.name }, local: localSignIn };
}

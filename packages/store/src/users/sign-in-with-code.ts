import { t } from "@cloudwright/core/model/language/text";
import { insertRefusal } from "../audit/audit-insert.ts";
import { OperationError } from "../operations/errors.ts";
import {
  acceptCode,
  CODE_REFUSALS,
  type CodeOutcome,
  codeRefusal,
  isRefusal,
  type TypedCode,
} from "./accept-code.ts";
import { type SignedInUser, signedInUser } from "./sign-in.ts";
import { REFUSED_SIGN_IN, type SignInContext } from "./sign-in-with-password.ts";
import { isDisabled, passwordAccountOf, USER_COLUMNS, userRef } from "./user.ts";

export interface CodeSignIn extends TypedCode {
  /** The password that was right: it must not have changed since. */
  readonly passwordId: string;
}

export interface CodeSignedIn {
  readonly user: SignedInUser;
  readonly by: "app" | "recovery-code";
}

/**
 * Performs the second step of a sign-in with a password: a code of the user's app, or a recovery code. The caller begins the session and
 * then calls `recordPasswordSignIn`. A refusal is recorded like a wrong password, and the caller delays it the same way. Throws
 * OperationError Forbidden, and Limit after too many wrong codes of the app.
 */
export async function signInWithCode(
  { db, client }: SignInContext,
  { passwordId, ...typed }: CodeSignIn,
): Promise<CodeSignedIn> {
  const user = await db.prisma.user.findUnique({
    where: { id: typed.userId },
    include: USER_COLUMNS,
  });
  if (user === null) throw new OperationError("Forbidden", () => t`The account no longer exists.`);
  const mayTry = !isDisabled(user) && passwordAccountOf(user)?.id === passwordId;
  const outcome: CodeOutcome | undefined = mayTry ? await acceptCode(db.prisma, typed) : undefined;
  if (outcome !== undefined && !isRefusal(outcome)) {
    return { user: signedInUser(user), by: outcome };
  }
  const why =
    outcome === undefined ? "The account or its password was changed" : CODE_REFUSALS[outcome];
  await insertRefusal(db, { ...REFUSED_SIGN_IN, object: userRef(user), why, client });
  // A user who has typed the right password may know that codes of the app are locked.
  if (outcome === "locked") throw new OperationError("Limit", () => codeRefusal(outcome));
  throw new OperationError("Forbidden", () => t`The code is wrong or was used already.`);
}

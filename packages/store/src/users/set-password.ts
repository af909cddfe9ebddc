import { randomUUID } from "node:crypto";
import { t } from "@cloudwright/core/model/language/text";
import { z } from "zod";
import type { Prisma } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import { type Attempt, carryOut, type VerbContext } from "../operations/verb.ts";
import { storableText } from "../text/storable-text.ts";
import type { UserView } from "../views/views.ts";
import { hashPassword, isPassword, newPasswordSchema } from "./password-hash.ts";
import { createSignInToken, HANDED_LINK_MS, type NewSignInToken } from "./sign-in-token.ts";
import {
  isDisabled,
  lockUser,
  PASSWORD_ACCOUNT,
  requireNotExternal,
  userIdSchema,
  userRef,
  viewOf,
  whySchema,
} from "./user.ts";

export const setPasswordSchema = z.object({
  id: userIdSchema,
  /** Absent when an admin resets it: the user gets a link that signs them in once. */
  password: newPasswordSchema.optional(),
  /** The user's current password, if there is one. */
  current: storableText(200).optional(),
  why: whySchema,
});
export type SetPasswordInput = z.infer<typeof setPasswordSchema>;

export interface PasswordContext extends VerbContext {
  /** The session of the request: changing one's own password does not end it. */
  readonly sessionId?: string | undefined;
}

export interface PasswordSet {
  readonly person: UserView;
  /** Present when the password was only removed. */
  readonly signIn?: NewSignInToken;
}

/**
 * Sets a password: users set their own by giving the current one; an admin sets or resets anybody's. Ends all other sessions of the user,
 * and unused links. Throws OperationError Forbidden, NotFound, Invalid for a missing password, and Precondition for a disabled user.
 */
export async function setPassword(
  context: PasswordContext,
  input: SetPasswordInput,
): Promise<PasswordSet> {
  const isOwn = input.id === context.actor.id;
  return carryOut(context, await attemptOf(context, input), async (tx) => {
    const user = await lockUser(tx, input.id);
    if (isDisabled(user)) {
      throw new OperationError("Precondition", () => t`This user is disabled: enable them first.`);
    }
    // With a password they could sign in even after the provider refuses them.
    await requireNotExternal(
      tx,
      user,
      (name) => t`${name} signs in at the identity provider, which keeps their password.`,
    );
    const stored = await storedHash(tx, input.id);
    if (isOwn) await requireOwnPassword(stored, input);
    const signIn = await replacePassword(tx, input);
    const endedSessions = await endOtherSessions(
      tx,
      input.id,
      isOwn ? context.sessionId : undefined,
    );
    const shownUser = await viewOf(tx, input.id);
    return {
      result: { person: shownUser, ...(signIn === undefined ? {} : { signIn }) },
      audit: {
        before: { hasPassword: stored !== undefined },
        after: { hasPassword: shownUser.hasPassword, endedSessions },
      },
    };
  });
}

async function attemptOf(
  { db, actor }: PasswordContext,
  { id, password, why }: SetPasswordInput,
): Promise<Attempt> {
  const isOwn = id === actor.id;
  const user = await db.prisma.user.findUnique({ where: { id } });
  const usual = isOwn ? "Changed their own password" : "Set by an admin";
  return {
    action: "account.password",
    needs: isOwn ? undefined : "admin",
    object: user === null ? undefined : userRef(user),
    why: why ?? (password === undefined ? "Reset by an admin" : usual),
    wanted: { hasPassword: password !== undefined },
  };
}

async function storedHash(tx: Prisma.TransactionClient, userId: string) {
  const account = await tx.account.findFirst({ where: { userId, providerId: PASSWORD_ACCOUNT } });
  return account?.password ?? undefined;
}

async function requireOwnPassword(
  stored: string | undefined,
  { password, current }: SetPasswordInput,
): Promise<void> {
  if (password === undefined) {
    throw new OperationError(
      "Invalid",
      () => t`Only an admin can remove a password: choose a new one.`,
    );
  }
  if (stored === undefined || (await isPassword(current ?? "", stored))) return;
  throw new OperationError("Forbidden", () => t`The current password is wrong.`);
}

async function replacePassword(
  tx: Prisma.TransactionClient,
  { id: userId, password }: SetPasswordInput,
): Promise<NewSignInToken | undefined> {
  await tx.account.deleteMany({ where: { userId, providerId: PASSWORD_ACCOUNT } });
  await tx.signInToken.deleteMany({ where: { userId, usedAt: null } });
  if (password === undefined) {
    return createSignInToken(tx, { userId, lifetimeMs: HANDED_LINK_MS });
  }
  await createPasswordAccount(tx, userId, await hashPassword(password));
  return undefined;
}

/** In the session library's own format. */
export async function createPasswordAccount(
  tx: Prisma.TransactionClient,
  userId: string,
  hash: string,
): Promise<void> {
  await tx.account.create({
    data: {
      id: randomUUID(),
      accountId: userId,
      providerId: PASSWORD_ACCOUNT,
      userId,
      password: hash,
    },
  });
}

async function endOtherSessions(
  tx: Prisma.TransactionClient,
  userId: string,
  keep: string | undefined,
): Promise<number> {
  const ended = await tx.session.deleteMany({
    where: { userId, ...(keep === undefined ? {} : { id: { not: keep } }) },
  });
  return ended.count;
}

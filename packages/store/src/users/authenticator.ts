import { t } from "@cloudwright/core/model/language/text";
import { z } from "zod";
import type { Prisma } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import { type Attempt, carryOut, type VerbContext } from "../operations/verb.ts";
import { storableText } from "../text/storable-text.ts";
import type { UserView } from "../views/views.ts";
import { acceptCode, codeRefusal, isRefusal } from "./accept-code.ts";
import {
  authenticatorUri,
  newRecoveryCodes,
  newSecret,
  openSecret,
  plainCode,
  recoveryCodeHash,
  sealSecret,
  stepOfCode,
} from "./authenticator-code.ts";
import { isPassword } from "./password-hash.ts";
import {
  lockUser,
  passwordOf,
  requireNotExternal,
  USER_COLUMNS,
  userIdSchema,
  userRef,
  viewOf,
  whySchema,
} from "./user.ts";

export interface AuthenticatorContext extends VerbContext {
  /** The dashboard's own secret, which seals the one that app and dashboard share. */
  readonly authSecret: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export const codeSchema = storableText(40).min(1);
const passwordSchema = storableText(200);

export const beginAuthenticatorSchema = z.object({ password: passwordSchema });
export type BeginAuthenticatorInput = z.infer<typeof beginAuthenticatorSchema>;

/** The secret for an app, shown until its first code has been entered. */
export interface NewAuthenticator {
  /** For typing, in base 32. */
  readonly secret: string;
  /** The same as a URI, for a QR code. */
  readonly uri: string;
}

/**
 * Creates a secret for the user's own authenticator app and replaces one that was begun and not confirmed; no code is required until it is
 * confirmed. Requires the password, so that nobody at an unattended page locks its user out. Throws OperationError Forbidden for a wrong
 * one, and Precondition for a user who has none or has an app already.
 */
export async function beginAuthenticator(
  context: AuthenticatorContext,
  { password }: BeginAuthenticatorInput,
): Promise<NewAuthenticator> {
  const { id } = context.actor;
  const secret = newSecret();
  return carryOut(context, await addingOf(context), async (tx) => {
    const user = await lockUser(tx, id);
    await requireNotExternal(
      tx,
      user,
      () =>
        t`You sign in at the identity provider, which asks for a second factor if it is set up.`,
    );
    await requireNoAuthenticator(tx, id);
    await requirePassword(tx, { id, password });
    const begun = {
      sealedSecret: sealSecret(secret, { userId: id, authSecret: context.authSecret }),
      createdAt: new Date(context.now),
      wrongCodes: 0,
    };
    await tx.authenticator.upsert({
      where: { userId: id },
      create: { userId: id, ...begun },
      update: begun,
    });
    // Not audited yet, as it has no effect until it is confirmed.
    return { result: { secret, uri: authenticatorUri(secret, user.email) } };
  });
}

export const confirmAuthenticatorSchema = z.object({ code: codeSchema });
export type ConfirmAuthenticatorInput = z.infer<typeof confirmAuthenticatorSchema>;

export interface ConfirmedAuthenticator {
  readonly person: UserView;
  /** Shown once; only their hashes are stored. */
  readonly recoveryCodes: readonly string[];
}

/**
 * Enables the app by its first code: from now on signing in with the password requires one. Throws OperationError Forbidden for
 * a wrong code, and Precondition when none was begun.
 */
export async function confirmAuthenticator(
  context: AuthenticatorContext,
  { code }: ConfirmAuthenticatorInput,
): Promise<ConfirmedAuthenticator> {
  const { id } = context.actor;
  return carryOut(context, await addingOf(context), async (tx) => {
    await lockUser(tx, id);
    await requireNoAuthenticator(tx, id);
    const lastStep = await stepOfFirstCode(tx, context, code);
    const recoveryCodes = newRecoveryCodes();
    await tx.authenticator.update({
      where: { userId: id },
      data: { confirmedAt: new Date(context.now), lastStep },
    });
    await tx.recoveryCode.createMany({
      data: recoveryCodes.map((each) => ({ userId: id, codeHash: recoveryCodeHash(each) })),
    });
    return {
      result: { person: await viewOf(tx, id), recoveryCodes },
      audit: {
        before: { authenticator: false },
        after: { authenticator: true, recoveryCodes: recoveryCodes.length },
      },
    };
  });
}

export const removeAuthenticatorSchema = z.object({
  id: userIdSchema,
  /** Users remove their own app by either of the two. */
  password: passwordSchema.optional(),
  code: codeSchema.optional(),
  why: whySchema,
});
export type RemoveAuthenticatorInput = z.infer<typeof removeAuthenticatorSchema>;

/**
 * Removes an app with its recovery codes: users their own, by the password or a code; an admin anybody's. Throws
 * OperationError Forbidden, NotFound, and Precondition for a user who has none.
 */
export async function removeAuthenticator(
  context: AuthenticatorContext,
  input: RemoveAuthenticatorInput,
): Promise<UserView> {
  const { id } = input;
  return carryOut(context, await removalOf(context, input), async (tx) => {
    await lockUser(tx, id);
    const { authenticator } = await viewOf(tx, id);
    if (authenticator === undefined) {
      throw new OperationError("Precondition", () => t`This user has no authenticator app.`);
    }
    if (id === context.actor.id) await requireProof(tx, context, input);
    await tx.authenticator.delete({ where: { userId: id } });
    await tx.recoveryCode.deleteMany({ where: { userId: id } });
    return {
      result: await viewOf(tx, id),
      audit: { before: { authenticator: true }, after: { authenticator: false } },
    };
  });
}

async function addingOf({ db, actor }: AuthenticatorContext): Promise<Attempt> {
  const user = await db.prisma.user.findUnique({ where: { id: actor.id } });
  return {
    action: "account.authenticator-add",
    needs: undefined,
    object: user === null ? undefined : userRef(user),
    why: "Added an authenticator app",
    wanted: { authenticator: true },
  };
}

async function removalOf(
  { db, actor }: AuthenticatorContext,
  { id, why }: RemoveAuthenticatorInput,
): Promise<Attempt> {
  const isOwn = id === actor.id;
  const user = await db.prisma.user.findUnique({ where: { id } });
  return {
    action: "account.authenticator-remove",
    needs: isOwn ? undefined : "admin",
    object: user === null ? undefined : userRef(user),
    why: why ?? (isOwn ? "Removed their own authenticator app" : "Removed by an admin"),
    wanted: { authenticator: false },
  };
}

async function requireNoAuthenticator(tx: Prisma.TransactionClient, userId: string): Promise<void> {
  const found = await tx.authenticator.count({ where: { userId, confirmedAt: { not: null } } });
  if (found === 0) return;
  throw new OperationError(
    "Precondition",
    () => t`You have an authenticator app already: remove it before you add another.`,
  );
}

async function requirePassword(
  tx: Prisma.TransactionClient,
  { id, password }: { readonly id: string; readonly password: string },
): Promise<void> {
  const user = await tx.user.findUniqueOrThrow({ where: { id }, include: USER_COLUMNS });
  const stored = passwordOf(user);
  if (stored === undefined) {
    throw new OperationError(
      "Precondition",
      () =>
        t`You have no password, and only signing in with one asks for a code: choose a password first.`,
    );
  }
  if (await isPassword(password, stored)) return;
  throw new OperationError("Forbidden", () => t`The password is wrong.`);
}

async function stepOfFirstCode(
  tx: Prisma.TransactionClient,
  { actor: { id: userId }, authSecret, now }: AuthenticatorContext,
  code: string,
): Promise<number> {
  const begun = await tx.authenticator.findUnique({ where: { userId } });
  const secret =
    begun === null ? undefined : openSecret(begun.sealedSecret, { userId, authSecret });
  if (secret === undefined) {
    throw new OperationError(
      "Precondition",
      () => t`No authenticator app is being set up: start again.`,
    );
  }
  const step = stepOfCode(plainCode(code), { secret, now });
  if (step !== undefined) return step;
  throw new OperationError(
    "Forbidden",
    () => t`The code is wrong: type the one that the app shows now.`,
  );
}

async function requireProof(
  tx: Prisma.TransactionClient,
  { actor: { id: userId }, authSecret, now }: AuthenticatorContext,
  { password, code }: RemoveAuthenticatorInput,
): Promise<void> {
  if (code === undefined) {
    if (password === undefined || password === "") {
      throw new OperationError("Forbidden", () => t`Enter your password, or a code.`);
    }
    return requirePassword(tx, { id: userId, password });
  }
  const outcome = await acceptCode(tx, { userId, code, authSecret, now });
  if (isRefusal(outcome)) throw new OperationError("Forbidden", () => codeRefusal(outcome));
}

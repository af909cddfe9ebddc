import { t } from "@cloudwright/core/model/language/text";
import type { Prisma } from "../generated/client.ts";
import {
  isRecoveryCode,
  openSecret,
  plainCode,
  recoveryCodeHash,
  type SecretOwner,
  stepOfCode,
} from "./authenticator-code.ts";

export interface TypedCode extends SecretOwner {
  /** A code of the app, or a recovery code. */
  readonly code: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What a code was accepted as, or why it was refused. */
export type CodeOutcome = "app" | "recovery-code" | CodeRefusal;
export type CodeRefusal = "none" | "wrong" | "used" | "locked" | "unreadable";

/**
 * Number of wrong codes after which codes of the app are refused unchecked: somebody with the password would otherwise find one of a
 * million sooner or later. A recovery code, which cannot be guessed, unlocks the app, and so does adding it again.
 */
export const WRONG_CODES_MOST = 100;

/** The refusals as audit entries state them. */
export const CODE_REFUSALS: Readonly<Record<CodeRefusal, string>> = {
  none: "The account no longer has an authenticator app",
  wrong: "The code of the authenticator app was wrong",
  used: "The code was used already",
  locked: `Codes of the authenticator app were wrong ${WRONG_CODES_MOST} times: only a recovery code is accepted`,
  unreadable:
    "The authenticator's secret cannot be read: it was sealed with another CLOUDWRIGHT_AUTH_SECRET",
};

/** Returns the refusal as the user reads it. */
export function codeRefusal(outcome: CodeRefusal): string {
  switch (outcome) {
    case "none":
      return t`The account no longer has an authenticator app.`;
    case "wrong":
      return t`The code of the authenticator app was wrong.`;
    case "used":
      return t`The code was used already.`;
    case "locked":
      return t`Codes of the authenticator app were wrong ${WRONG_CODES_MOST} times: only a recovery code is accepted.`;
    case "unreadable":
      return t`The authenticator's secret cannot be read: it was sealed with another CLOUDWRIGHT_AUTH_SECRET.`;
  }
}

export function isRefusal(outcome: CodeOutcome): outcome is CodeRefusal {
  return Object.hasOwn(CODE_REFUSALS, outcome);
}

/** Accepts a code and uses it up in one statement: of two that send it at once only one is let in. */
export async function acceptCode(
  tx: Prisma.TransactionClient,
  typed: TypedCode,
): Promise<CodeOutcome> {
  const { userId, code } = typed;
  const found = await tx.authenticator.findUnique({ where: { userId } });
  if (found === null || found.confirmedAt === null) return "none";
  if (isRecoveryCode(code)) return acceptRecoveryCode(tx, typed);
  return acceptAppCode(tx, { ...typed, sealedSecret: found.sealedSecret });
}

async function acceptAppCode(
  tx: Prisma.TransactionClient,
  { sealedSecret, ...typed }: TypedCode & { readonly sealedSecret: string },
): Promise<CodeOutcome> {
  const { userId, code, now } = typed;
  const secret = openSecret(sealedSecret, typed);
  if (secret === undefined) return "unreadable";
  // Counted before it is checked, so that simultaneous attempts all count.
  const tries = await tx.authenticator.updateMany({
    where: { userId, wrongCodes: { lt: WRONG_CODES_MOST } },
    data: { wrongCodes: { increment: 1 } },
  });
  if (tries.count === 0) return "locked";
  const step = stepOfCode(plainCode(code), { secret, now });
  if (step === undefined) return "wrong";
  const { count } = await tx.authenticator.updateMany({
    where: { userId, sealedSecret, lastStep: { lt: step } },
    data: { lastStep: step, wrongCodes: 0 },
  });
  return count === 1 ? "app" : "used";
}

async function acceptRecoveryCode(
  tx: Prisma.TransactionClient,
  { userId, code, now }: TypedCode,
): Promise<CodeOutcome> {
  const codeHash = recoveryCodeHash(code);
  const { count } = await tx.recoveryCode.updateMany({
    where: { userId, codeHash, usedAt: null },
    data: { usedAt: new Date(now) },
  });
  if (count === 1) {
    await tx.authenticator.updateMany({ where: { userId }, data: { wrongCodes: 0 } });
    return "recovery-code";
  }
  return (await tx.recoveryCode.count({ where: { userId, codeHash } })) === 0 ? "wrong" : "used";
}

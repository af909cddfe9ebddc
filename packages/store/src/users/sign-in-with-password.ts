import { t } from "@cloudwright/core/model/language/text";
import { z } from "zod";
import { insertAuditEntry, insertRefusal, type NewAuditEntry } from "../audit/audit-insert.ts";
import type { RefusalLog } from "../audit/refusal-log.ts";
import type { Database } from "../database/database.ts";
import type { Client } from "../operations/client.ts";
import { OperationError } from "../operations/errors.ts";
import { readFailures, type StoredFailures } from "../sql/users.ts";
import type { FailedSignIns } from "../views/views.ts";
import { isPassword } from "./password-hash.ts";
import type { SessionProof } from "./session-proof.ts";
import { type SignedInUser, signedInUser } from "./sign-in.ts";
import {
  authenticatorOf,
  isDisabled,
  passwordAccountOf,
  passwordOf,
  USER_COLUMNS,
  userRef,
} from "./user.ts";

export interface PasswordSignIn {
  readonly email: string;
  readonly password: string;
}

export interface SignInContext {
  readonly db: Database;
  readonly client?: Client | undefined;
}

/** The result of a right password: a session, or a request for a code (`signInWithCode`), before which there is no session. */
export type PasswordAnswer =
  | { readonly kind: "signed-in"; readonly user: SignedInUser }
  | { readonly kind: "code"; readonly user: SignedInUser; readonly passwordId: string };

/**
 * Checks an e-mail address and password, and returns the user, or the request for a code of their authenticator app; the caller begins the
 * session and then calls `recordPasswordSignIn`. A refusal is an audit entry about the account without a known actor, as a wrong password
 * proves nobody. Unknown users, disabled users and users without a password cause the same work and the same answer, so that accounts are
 * not revealed. The caller delays repeated failures. Throws OperationError Forbidden.
 */
export async function signInWithPassword(
  { db, client }: SignInContext,
  { email, password }: PasswordSignIn,
): Promise<PasswordAnswer> {
  const user = await db.prisma.user.findUnique({
    where: { email: email.trim().toLowerCase() },
    include: USER_COLUMNS,
  });
  const account = user === null ? undefined : passwordAccountOf(user);
  const isRight = await isPassword(password, account?.password ?? undefined);
  if (user === null || account === undefined || !isRight || isDisabled(user)) {
    const refused = user === null ? NO_USER : whoWasRefused(user, isRight);
    await insertRefusal(db, { ...REFUSED_SIGN_IN, ...refused, client });
    throw new OperationError("Forbidden", () => t`The e-mail address or the password is wrong.`);
  }
  if (authenticatorOf(user) === undefined) return { kind: "signed-in", user: signedInUser(user) };
  return { kind: "code", user: signedInUser(user), passwordId: account.id };
}

export interface PasswordSignedIn {
  readonly user: SignedInUser;
  /** The second step, for an account with an authenticator app. */
  readonly by?: "app" | "recovery-code";
}

const WITH_CODE = {
  app: "Signed in with a password and a code of the authenticator app",
  "recovery-code": "Signed in with a password and a recovery code",
} as const;

/** Audits a sign-in, once there is the session that proves it. */
export function recordPasswordSignIn(
  { db, client }: SignInContext,
  { user: { id, name, email, role }, by }: PasswordSignedIn,
  proof: SessionProof,
): Promise<void> {
  return insertAuditEntry(db.prisma, {
    actor: { kind: "person", id, name },
    action: "account.sign-in",
    why: by === undefined ? "Signed in with a password" : WITH_CODE[by],
    result: "applied",
    before: null,
    after: { email, role },
    client,
    proof,
  });
}

/** Marks the audit entry of a refused sign-in as one by password, and not another refusal of the same user. */
const PASSWORD_ATTEMPT = "password";

const UNKNOWN_OWNER = {
  actor: { kind: "system", id: "nobody", name: "Nobody known" },
} as const satisfies Partial<NewAuditEntry>;

/** The audit entry of a refused sign-in with a password, at its first or second step: both are counted together. */
export const REFUSED_SIGN_IN = {
  ...UNKNOWN_OWNER,
  action: "account.refused",
  result: "refused",
  before: null,
  after: { attempt: PASSWORD_ATTEMPT },
} as const satisfies Partial<NewAuditEntry>;

/** The typed address is not stored: it may have been a password. */
const NO_USER = {
  why: "Somebody tried to sign in with an unknown e-mail address",
} as const satisfies Partial<NewAuditEntry>;

function whoWasRefused(
  user: Parameters<typeof userRef>[0] & Parameters<typeof passwordOf>[0],
  isRight: boolean,
): Pick<NewAuditEntry, "object" | "why"> {
  return {
    object: userRef(user),
    why: isRight ? "The account is disabled" : whyWrong(passwordOf(user) !== undefined),
  };
}

function whyWrong(hasPassword: boolean): string {
  return hasPassword ? "The password was wrong" : "The account has no password";
}

const COUNTED_MS = 24 * 3_600_000;

/**
 * Returns the wrong passwords and codes of the last day by user: those of the audit entries, including how many each stands for, and those
 * that this process has only counted so far.
 */
export async function failedSignIns(
  { pool, refusals }: Pick<Database, "pool" | "refusals">,
  now: number,
): Promise<ReadonlyMap<string, FailedSignIns>> {
  const since = new Date(now - COUNTED_MS);
  const rows = await readFailures(pool, { since, attempt: PASSWORD_ATTEMPT });
  const counted = refusals?.counted() ?? [];
  return new Map(rows.map((row) => [row.object_uid, withCounted(failuresOf(row), row, counted)]));
}

function withCounted(
  failed: FailedSignIns,
  { object_uid }: StoredFailures,
  counted: ReturnType<RefusalLog["counted"]>,
): FailedSignIns {
  const theirs = counted.filter(
    ({ last }) => last.object?.uid === object_uid && attemptSchema.safeParse(last.after).success,
  );
  const more = theirs.reduce((sum, each) => sum + each.more, 0);
  return { ...failed, count: failed.count + more };
}

const attemptSchema = z.object({ attempt: z.literal(PASSWORD_ATTEMPT) });

function failuresOf({ count, last_at, last_address }: StoredFailures): FailedSignIns {
  return { count, lastAt: last_at.getTime(), lastAddress: last_address ?? undefined };
}

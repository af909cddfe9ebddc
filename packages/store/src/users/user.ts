import { t } from "@cloudwright/core/model/language/text";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import { type Role, roleSchema } from "@cloudwright/core/model/roles";
import type { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Prisma, Session, User } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import type { VerbContext } from "../operations/verb.ts";
import { lockAdmins, lockUserRow } from "../sql/users.ts";
import { storableText } from "../text/storable-text.ts";
import type { UserView } from "../views/views.ts";
import { clusterAccessOf } from "./cluster-access.ts";

export const emailSchema = storableText(254)
  .trim()
  .toLowerCase()
  .regex(/^[^\s@]+@[^\s@]+$/, { error: "Write an e-mail address like ana@example.org." });
export const userIdSchema = storableText(100).min(1);
export const whySchema = storableText(500).trim().min(1).optional();
export const roleInputSchema: z.core.$ZodType<Role> = roleSchema;

/** The provider under which the session library stores passwords. */
export const PASSWORD_ACCOUNT = "credential";

/** The prefix of an identity provider's accounts; the issuer follows. */
const EXTERNAL_ACCOUNT = "oidc:";

/** Returns the account of an identity: users of different issuers differ, whatever their subjects. */
export function externalAccount({
  issuer,
  subject,
}: {
  readonly issuer: string;
  readonly subject: string;
}): { readonly providerId: string; readonly accountId: string } {
  return { providerId: `${EXTERNAL_ACCOUNT}${issuer}`, accountId: subject };
}

/** The columns needed for a `UserView`. */
export const USER_COLUMNS = {
  accounts: true,
  sessions: { orderBy: { updatedAt: "desc" } },
  authenticator: { select: { confirmedAt: true } },
  _count: { select: { recoveryCodes: { where: { usedAt: null } } } },
} as const satisfies Prisma.UserInclude;
type UserRow = Prisma.UserGetPayload<{ include: typeof USER_COLUMNS }>;

/** Returns the user's password hash, if there is one. */
export function passwordOf({ accounts }: Pick<UserRow, "accounts">): string | undefined {
  return passwordAccountOf({ accounts })?.password ?? undefined;
}

/** Returns the user's password account, whose id changes with the password. */
export function passwordAccountOf({ accounts }: Pick<UserRow, "accounts">) {
  return accounts.find(({ providerId }) => providerId === PASSWORD_ACCOUNT);
}

/** Returns undefined until the first code of the app has been entered. */
export function authenticatorOf({
  authenticator,
  _count,
}: Pick<UserRow, "authenticator" | "_count">): UserView["authenticator"] {
  const since = authenticator?.confirmedAt?.getTime();
  return since === undefined ? undefined : { since, recoveryCodes: _count.recoveryCodes };
}

function isExternal({ accounts }: Pick<UserRow, "accounts">): boolean {
  return accounts.some(({ providerId }) => providerId.startsWith(EXTERNAL_ACCOUNT));
}

export function userView(row: UserRow, now: number): UserView {
  const live = row.sessions.filter((session) => endOf(session) > now);
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: roleOf(row),
    clusters: clusterAccessOf(row),
    disabled: isDisabled(row),
    disabledWhy: isDisabled(row) ? (row.banReason ?? undefined) : undefined,
    createdAt: row.createdAt.getTime(),
    lastSeenAt: row.sessions[0]?.updatedAt.getTime(),
    sessions: live.length,
    hasPassword: passwordOf(row) !== undefined,
    authenticator: authenticatorOf(row),
    isExternal: isExternal(row),
    clustersByGroups: row.clustersByGroups,
    failedSignIns: undefined,
  };
}

/** Returns when a session ends: when it has been unused too long, or at its latest end. */
export function endOf({ expiresAt, endsAt }: Pick<Session, "expiresAt" | "endsAt">): number {
  return Math.min(expiresAt.getTime(), endsAt?.getTime() ?? Number.POSITIVE_INFINITY);
}

export async function viewOf(tx: Prisma.TransactionClient, id: string): Promise<UserView> {
  const row = await tx.user.findUniqueOrThrow({ where: { id }, include: USER_COLUMNS });
  return userView(row, Date.now());
}

/** A role that this release does not know counts as the lowest. */
export function roleOf(user: Pick<User, "role">): Role {
  return roleSchema.safeParse(user.role).data ?? "viewer";
}

export function isDisabled(user: Pick<User, "banned">): boolean {
  return user.banned === true;
}

export function userRef(user: Pick<User, "id" | "email">): ObjectRef {
  return { kind: "User", name: user.email, uid: user.id };
}

/** Returns the user and locks their row until the transaction ends. Throws OperationError NotFound. */
export async function lockUser(tx: Prisma.TransactionClient, id: string): Promise<User> {
  await lockUserRow(tx, id);
  const user = await tx.user.findUnique({ where: { id } });
  if (user === null) {
    throw new OperationError("NotFound", () => t`This user does not exist: reload the list.`);
  }
  return user;
}

/** Throws OperationError Precondition for a user whom the identity provider manages. */
export async function requireNotExternal(
  tx: Prisma.TransactionClient,
  { id, name }: Pick<User, "id" | "name">,
  sentence: (name: string) => string,
): Promise<void> {
  const external = await tx.account.count({
    where: { userId: id, providerId: { startsWith: EXTERNAL_ACCOUNT } },
  });
  if (external > 0) throw new OperationError("Precondition", () => sentence(name));
}

/**
 * Throws OperationError Precondition when this user is the only remaining admin of all clusters who can sign in. The admins stay locked
 * until the transaction ends, so that of two who demote each other only one succeeds.
 */
export async function requireAnotherAdmin(tx: Prisma.TransactionClient, id: string): Promise<void> {
  const admins = await lockAdmins(tx);
  if (admins.some((admin) => admin !== id) || admins.length === 0) return;
  throw new OperationError(
    "Precondition",
    () =>
      t`This is the last admin of all clusters who can sign in: make another user an admin first.`,
  );
}

/**
 * Returns the user for whom a command of this machine acts: anybody who may write to the database may act as any user, as with a sign-in
 * link. Throws OperationError NotFound for an address without an account, or with a disabled one.
 */
export async function actorByEmail(db: Database, email: string): Promise<VerbContext["actor"]> {
  const user = await db.prisma.user.findUnique({ where: { email: email.trim().toLowerCase() } });
  if (user === null || isDisabled(user)) {
    throw new OperationError(
      "NotFound",
      () =>
        `Nobody can sign in as ${email}: name an admin of the dashboard, or create one with cloudwright sign-in-link.`,
    );
  }
  return { id: user.id, name: user.name, role: roleOf(user), clusters: clusterAccessOf(user) };
}

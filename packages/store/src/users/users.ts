import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Prisma, User } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import {
  type Attempt,
  carryOut,
  requireReach,
  requireRole,
  type VerbContext,
} from "../operations/verb.ts";
import { storableText } from "../text/storable-text.ts";
import type { UserView } from "../views/views.ts";
import { hashPassword, newPasswordSchema } from "./password-hash.ts";
import { createPasswordAccount } from "./set-password.ts";
import { createSignInToken, HANDED_LINK_MS, type NewSignInToken } from "./sign-in-token.ts";
import { failedSignIns } from "./sign-in-with-password.ts";
import {
  emailSchema,
  isDisabled,
  lockUser,
  requireAnotherAdmin,
  roleInputSchema,
  roleOf,
  USER_COLUMNS,
  userIdSchema,
  userRef,
  userView,
  viewOf,
  whySchema,
} from "./user.ts";

/** Everybody with an account, by name. Throws OperationError Forbidden for all but admins. */
export async function listUsers(context: VerbContext): Promise<readonly UserView[]> {
  requireRole(context, "admin");
  requireReach(context, { needs: "admin" });
  const rows = await context.db.prisma.user.findMany({
    include: USER_COLUMNS,
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
  const now = Date.now();
  const failed = await failedSignIns(context.db, now);
  return rows.map((row) => ({ ...userView(row, now), failedSignIns: failed.get(row.id) }));
}

/** The names of the admins of all clusters who can sign in: whom to ask for what one may not do. */
export async function listAdmins(db: Database): Promise<readonly string[]> {
  const rows = await db.prisma.user.findMany({
    where: { role: "admin", restricted: false, NOT: { banned: true } },
    select: { name: true },
    orderBy: { name: "asc" },
  });
  return rows.map((row) => row.name);
}

export const createUserSchema = z.object({
  name: storableText(100).trim().min(1),
  email: emailSchema,
  role: roleInputSchema,
  /** Without one the user gets a link that signs them in, once. */
  password: newPasswordSchema.optional(),
  why: whySchema,
});
export type CreateUserInput = z.infer<typeof createUserSchema>;

export interface NewUser {
  readonly person: UserView;
  /** Absent for a user with a password. */
  readonly signIn?: NewSignInToken;
}

/** Needs role admin. Throws OperationError Forbidden, and Conflict for an e-mail address that somebody has. */
export async function createUser(context: VerbContext, input: CreateUserInput): Promise<NewUser> {
  const { name, email, role, password, why } = input;
  const attempt: Attempt = {
    action: "account.create",
    needs: "admin",
    object: { kind: "User", name: email },
    why: why ?? "Added to the users of the dashboard",
    wanted: { name, role },
  };
  return carryOut(context, attempt, async (tx) => {
    const hash = password === undefined ? undefined : await hashPassword(password);
    const user = await insertUser(tx, { name, email, role });
    const signIn = await firstWayIn(tx, user.id, hash);
    const shownUser = await viewOf(tx, user.id);
    const after = { name, email, role, hasPassword: shownUser.hasPassword };
    return {
      result: { person: shownUser, ...(signIn === undefined ? {} : { signIn }) },
      audit: { before: null, after, object: userRef(user) },
    };
  });
}

async function insertUser(
  tx: Prisma.TransactionClient,
  { name, email, role }: Pick<CreateUserInput, "name" | "email" | "role">,
): Promise<User> {
  const [user] = await tx.user.createManyAndReturn({
    data: [{ id: randomUUID(), name, email, role, emailVerified: true }],
    skipDuplicates: true,
  });
  if (user !== undefined) return user;
  throw new OperationError("Conflict", `The e-mail address ${email} is already in use.`);
}

async function firstWayIn(
  tx: Prisma.TransactionClient,
  userId: string,
  hash: string | undefined,
): Promise<NewSignInToken | undefined> {
  if (hash === undefined) return createSignInToken(tx, { userId, lifetimeMs: HANDED_LINK_MS });
  await createPasswordAccount(tx, userId, hash);
  return undefined;
}

export const changeRoleSchema = z.object({
  id: userIdSchema,
  role: roleInputSchema,
  why: whySchema,
});
export type ChangeRoleInput = z.infer<typeof changeRoleSchema>;

/**
 * Needs role admin; holds from the user's next request on. Throws OperationError Forbidden, NotFound, and Precondition for
 * the last admin.
 */
export async function changeRole(
  context: VerbContext,
  { id, role, why }: ChangeRoleInput,
): Promise<UserView> {
  const attempt = await attemptOn(context, {
    id,
    action: "account.change",
    why: why ?? `Made ${role}`,
    wanted: { role },
  });
  return carryOut(context, attempt, async (tx) => {
    if (role !== "admin") await requireAnotherAdmin(tx, id);
    const user = await lockUser(tx, id);
    const before = roleOf(user);
    if (before === role) return { result: await viewOf(tx, id) };
    await tx.user.update({ where: { id }, data: { role } });
    const audit = { before: { role: before }, after: { role } };
    return { result: await viewOf(tx, id), audit };
  });
}

export const disableUserSchema = z.object({ id: userIdSchema, why: whySchema });
export type DisableUserInput = z.infer<typeof disableUserSchema>;

/**
 * Needs role admin; ends the user's sessions and unused sign-in links at once. Throws OperationError Forbidden, NotFound,
 * and Precondition for the last admin.
 */
export async function disableUser(
  context: VerbContext,
  { id, why }: DisableUserInput,
): Promise<UserView> {
  const attempt = await attemptOn(context, {
    id,
    action: "account.disable",
    why: why ?? "Disabled",
    wanted: { disabled: true },
  });
  return carryOut(context, attempt, async (tx) => {
    await requireAnotherAdmin(tx, id);
    const user = await lockUser(tx, id);
    if (isDisabled(user)) return { result: await viewOf(tx, id) };
    await tx.user.update({ where: { id }, data: { banned: true, banReason: why ?? null } });
    const ended = await tx.session.deleteMany({ where: { userId: id } });
    await tx.signInToken.deleteMany({ where: { userId: id, usedAt: null } });
    const audit = {
      before: { disabled: false },
      after: { disabled: true, endedSessions: ended.count },
    };
    return { result: await viewOf(tx, id), audit };
  });
}

/** Needs role admin. Throws OperationError Forbidden and NotFound. */
export async function enableUser(
  context: VerbContext,
  { id, why }: DisableUserInput,
): Promise<UserView> {
  const attempt = await attemptOn(context, {
    id,
    action: "account.change",
    why: why ?? "Enabled again",
    wanted: { disabled: false },
  });
  return carryOut(context, attempt, async (tx) => {
    const user = await lockUser(tx, id);
    if (!isDisabled(user)) return { result: await viewOf(tx, id) };
    await tx.user.update({ where: { id }, data: { banned: false, banReason: null } });
    const audit = { before: { disabled: true }, after: { disabled: false } };
    return { result: await viewOf(tx, id), audit };
  });
}

/** The entry names whom it is about, also when it is refused. */
async function attemptOn(
  { db }: VerbContext,
  { id, ...rest }: Pick<Attempt, "action" | "why" | "wanted"> & { readonly id: string },
): Promise<Attempt> {
  const user = await db.prisma.user.findUnique({ where: { id } });
  return { ...rest, needs: "admin", object: user === null ? undefined : userRef(user) };
}

import { randomUUID } from "node:crypto";
import { t } from "@cloudwright/core/model/language/text";
import { sameJson } from "@cloudwright/core/model/values/json";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Prisma, User } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import {
  type Attempt,
  carryOut,
  type Done,
  requireReach,
  requireRole,
  type VerbContext,
} from "../operations/verb.ts";
import { storableText } from "../text/storable-text.ts";
import type { UserView } from "../views/views.ts";
import { type ClusterAccess, clusterAccessOf } from "./cluster-access.ts";
import { hashPassword, newPasswordSchema } from "./password-hash.ts";
import { createPasswordAccount } from "./set-password.ts";
import { createSignInToken, HANDED_LINK_MS, type NewSignInToken } from "./sign-in-token.ts";
import { failedSignIns } from "./sign-in-with-password.ts";
import {
  emailSchema,
  isDisabled,
  lockUser,
  requireAnotherAdmin,
  requireNotExternal,
  roleInputSchema,
  roleOf,
  USER_COLUMNS,
  userIdSchema,
  userRef,
  userView,
  viewOf,
  whySchema,
} from "./user.ts";

/** Lists all users, by name. Throws OperationError Forbidden for all but admins. */
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

/** Returns the actor as the list of users would show them. */
export async function ownUser({ db, actor }: VerbContext): Promise<UserView> {
  return viewOf(db.prisma, actor.id);
}

/** Returns the names of the admins of all clusters who can sign in, for users to ask. */
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
  /** Without one the user gets a link that signs them in once. */
  password: newPasswordSchema.optional(),
  why: whySchema,
});
export type CreateUserInput = z.infer<typeof createUserSchema>;

export interface NewUser {
  readonly person: UserView;
  /** Absent for a user with a password. */
  readonly signIn?: NewSignInToken;
}

/** Creates a user. Needs the role admin. Throws OperationError Forbidden, and Conflict for an existing e-mail address. */
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
  throw new OperationError("Conflict", () => t`The e-mail address ${email} is already in use.`);
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
 * Changes a role, from the user's next request on. Needs the role admin. Throws OperationError Forbidden, NotFound, and Precondition for
 * the last admin.
 */
export function changeRole(
  context: VerbContext,
  { id, role, why = `Made ${role}` }: ChangeRoleInput,
): Promise<UserView> {
  const endsAdmin = role !== "admin";
  const change = { id, action: "account.change", why, wanted: { role }, endsAdmin } as const;
  return changeUser(context, change, async (tx, user) => {
    const before = roleOf(user);
    if (before === role) return undefined;
    await requireNotExternal(tx, user, roleByGroups);
    await tx.user.update({ where: { id }, data: { role } });
    return { before: { role: before }, after: { role } };
  });
}

function roleByGroups(name: string): string {
  return t`The role of ${name} follows their groups at the identity provider: change those, or disable the user.`;
}

export const disableUserSchema = z.object({ id: userIdSchema, why: whySchema });
export type DisableUserInput = z.infer<typeof disableUserSchema>;

/**
 * Disables a user, and ends their sessions and unused sign-in links at once. Needs the role admin. Throws OperationError Forbidden,
 * NotFound, and Precondition for the last admin.
 */
export function disableUser(
  context: VerbContext,
  { id, why }: DisableUserInput,
): Promise<UserView> {
  const change = {
    ...{ id, action: "account.disable", why: why ?? "Disabled" },
    ...{ wanted: { disabled: true }, endsAdmin: true },
  } as const;
  return changeUser(context, change, async (tx, user) => {
    if (isDisabled(user)) return undefined;
    await tx.user.update({ where: { id }, data: { banned: true, banReason: why ?? null } });
    const ended = await tx.session.deleteMany({ where: { userId: id } });
    await tx.signInToken.deleteMany({ where: { userId: id, usedAt: null } });
    return {
      before: { disabled: false },
      after: { disabled: true, endedSessions: ended.count },
    };
  });
}

/** Enables a user. Needs the role admin. Throws OperationError Forbidden and NotFound. */
export function enableUser(
  context: VerbContext,
  { id, why = "Enabled again" }: DisableUserInput,
): Promise<UserView> {
  const wanted = { disabled: false };
  const change = { id, action: "account.change", why, wanted, endsAdmin: false } as const;
  return changeUser(context, change, async (tx, user) => {
    if (!isDisabled(user)) return undefined;
    await tx.user.update({ where: { id }, data: { banned: false, banReason: null } });
    return { before: { disabled: true }, after: { disabled: false } };
  });
}

const CLUSTERS_MOST = 500;

export const setClustersSchema = z.object({
  id: userIdSchema,
  /** With an empty list the user sees no cluster. */
  clusters: z.union([
    z.literal("all"),
    z.array(storableText(200).min(1)).max(CLUSTERS_MOST).readonly(),
  ]),
  why: whySchema,
});
export type SetClustersInput = z.infer<typeof setClustersSchema>;

/**
 * Restricts a user to these clusters, or lifts the restriction, from their next request on. Needs an admin of all clusters. Throws
 * OperationError Forbidden, NotFound, Invalid for a cluster that no controller has reported, and Precondition for the last admin of all
 * clusters.
 */
export function setClusters(
  context: VerbContext,
  { id, clusters, why }: SetClustersInput,
): Promise<UserView> {
  const wanted: ClusterAccess = clusters === "all" ? "all" : [...new Set(clusters)];
  const usual = wanted === "all" ? "Given all clusters" : "Restricted to clusters";
  const change = {
    ...{ id, action: "account.change", why: why ?? usual },
    wanted: { clusters: plain(wanted) },
    endsAdmin: wanted !== "all",
  } as const;
  return changeUser(context, change, async (tx, user) => {
    if (user.clustersByGroups)
      throw new OperationError("Precondition", () => clustersByGroups(user));
    if (wanted !== "all") await requireKnown(tx, wanted);
    const before = plain(clusterAccessOf(user));
    if (sameJson(before, plain(wanted))) return undefined;
    const data = { restricted: wanted !== "all", clusters: wanted === "all" ? [] : [...wanted] };
    await tx.user.update({ where: { id }, data });
    return { before: { clusters: before }, after: { clusters: plain(wanted) } };
  });
}

function clustersByGroups({ name }: Pick<User, "name">): string {
  return t`The clusters of ${name} follow their groups at the identity provider: change those, or disable the user.`;
}

function plain(access: ClusterAccess): string | string[] {
  return access === "all" ? "all" : [...access];
}

async function requireKnown(tx: Prisma.TransactionClient, ids: readonly string[]): Promise<void> {
  const known = await tx.cluster.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true },
  });
  const missing = ids.find((id) => !known.some((cluster) => cluster.id === id));
  if (missing === undefined) return;
  throw new OperationError(
    "Invalid",
    () => t`No controller has reported on a cluster ${missing}: choose one from the list.`,
  );
}

/** A change of a user that an admin requests. */
interface UserChange extends Pick<Attempt, "action" | "why" | "wanted"> {
  readonly id: string;
  /** Whether after the change the user is no longer an admin of all clusters who can sign in. */
  readonly endsAdmin: boolean;
}

/**
 * Changes a user while their row is locked. `change` returns the fields of the audit entry, or undefined when nothing had to be changed.
 * The entry names the user, even when the change is refused.
 */
async function changeUser(
  context: VerbContext,
  { id, endsAdmin, ...attempt }: UserChange,
  change: (tx: Prisma.TransactionClient, user: User) => Promise<Done<UserView>["audit"]>,
): Promise<UserView> {
  const found = await context.db.prisma.user.findUnique({ where: { id } });
  const object = found === null ? undefined : userRef(found);
  return carryOut(context, { ...attempt, needs: "admin", object }, async (tx) => {
    if (endsAdmin) await requireAnotherAdmin(tx, id);
    const audit = await change(tx, await lockUser(tx, id));
    const result = await viewOf(tx, id);
    return audit === undefined ? { result } : { result, audit };
  });
}

import { randomUUID } from "node:crypto";
import type { Role } from "@cloudwright/core/model/roles";
import { type Json, sameJson } from "@cloudwright/core/model/values/json";
import { insertAuditEntry, insertRefusal, type NewAuditEntry } from "../audit/audit-insert.ts";
import type { Prisma, User } from "../generated/client.ts";
import { isOperationError, OperationError } from "../operations/errors.ts";
import { clusterAccessOf } from "./cluster-access.ts";
import type { SessionProof } from "./session-proof.ts";
import { type SignedInUser, signedInUser } from "./sign-in.ts";
import type { SignInContext } from "./sign-in-with-password.ts";
import { externalAccount, isDisabled, lockUser, roleOf, userRef } from "./user.ts";

/** A user as the identity provider signs them in, with what their groups grant here. The caller has verified it. */
export interface ExternalIdentity {
  readonly issuer: string;
  /** Identifies the user at the provider permanently, unlike an e-mail address. */
  readonly subject: string;
  readonly email: string;
  readonly name: string;
  /** Undefined when no group grants one. */
  readonly role: Role | undefined;
  /** By id or name; undefined when clusters do not follow groups. */
  readonly clusters: "all" | readonly string[] | undefined;
}

/** The reasons of refusals as audit entries state them: each has its own sentence on the sign-in page. */
export const EXTERNAL_REFUSALS = {
  role: "None of your groups at the identity provider grants a role in Cloudwright.",
  taken: "Another account here has your e-mail address, so a new one cannot be created.",
  disabled: "Your account is disabled here.",
} as const;

/**
 * Returns the user that an identity signs in; creates them at their first sign-in. Sets role and clusters to what the groups grant; a user
 * who has lost every role also loses their sessions. An account of another identity is never taken over, whatever its e-mail address. The
 * caller begins the session and then calls `recordExternalSignIn`. Throws OperationError Forbidden with one of EXTERNAL_REFUSALS; a refusal
 * is audited.
 */
export async function admitExternalUser(
  context: SignInContext,
  identity: ExternalIdentity,
): Promise<SignedInUser> {
  try {
    const admitted = await context.db.prisma.$transaction((tx) => admit(tx, context, identity));
    if (admitted !== undefined) return admitted;
    throw new OperationError("Forbidden", () => EXTERNAL_REFUSALS.role);
  } catch (error) {
    if (isOperationError(error)) await recordExternalRefusal(context, identity, error.message);
    throw error;
  }
}

/** Returns undefined for a user without a role, after their access was removed. */
async function admit(
  tx: Prisma.TransactionClient,
  context: SignInContext,
  identity: ExternalIdentity,
): Promise<SignedInUser | undefined> {
  const known = await findUser(tx, identity);
  const { role } = identity;
  if (known === undefined) {
    if (role === undefined) return undefined;
    return signedInUser(await makeUser(tx, context, { ...identity, role }));
  }
  const user = await lockUser(tx, known);
  if (isDisabled(user)) throw new OperationError("Forbidden", () => EXTERNAL_REFUSALS.disabled);
  if (role === undefined) {
    await takeRoleAway(tx, context, user);
    return undefined;
  }
  return signedInUser(await followGroups(tx, context, { user, identity: { ...identity, role } }));
}

async function findUser(
  tx: Prisma.TransactionClient,
  identity: ExternalIdentity,
): Promise<string | undefined> {
  const account = await tx.account.findUnique({
    where: { providerId_accountId: externalAccount(identity) },
  });
  return account?.userId;
}

type Admitted = ExternalIdentity & { readonly role: Role };

async function makeUser(
  tx: Prisma.TransactionClient,
  { client }: SignInContext,
  identity: Admitted,
): Promise<User> {
  const { email, name, role } = identity;
  const access = await accessOf(tx, identity);
  const [user] = await tx.user.createManyAndReturn({
    data: [{ id: randomUUID(), email, name, role, emailVerified: false, ...access }],
    skipDuplicates: true,
  });
  if (user === undefined) return sameUser(tx, identity);
  await tx.account.create({
    data: { id: randomUUID(), userId: user.id, ...externalAccount(identity) },
  });
  await insertAuditEntry(tx, {
    ...PROVIDER,
    action: "account.create",
    object: userRef(user),
    why: `Signed in for the first time at ${identity.issuer}`,
    before: null,
    after: { name, email, ...rightsOf(user) },
    client,
  });
  return user;
}

/** Of two sign-ins that create the same user at once, the second gets the user of the first. */
async function sameUser(tx: Prisma.TransactionClient, identity: ExternalIdentity): Promise<User> {
  const id = await findUser(tx, identity);
  if (id === undefined) throw new OperationError("Forbidden", () => EXTERNAL_REFUSALS.taken);
  return tx.user.findUniqueOrThrow({ where: { id } });
}

async function followGroups(
  tx: Prisma.TransactionClient,
  { client }: SignInContext,
  { user, identity }: { readonly user: User; readonly identity: Admitted },
): Promise<User> {
  const { role } = identity;
  const data = { role, ...(await accessOf(tx, identity)), ...(await namesOf(tx, user, identity)) };
  const changed = await tx.user.update({ where: { id: user.id }, data });
  const [before, after] = [rightsOf(user), rightsOf(changed)];
  if (sameJson(before, after)) return changed;
  await insertAuditEntry(tx, {
    ...PROVIDER,
    action: "account.change",
    object: userRef(changed),
    why: `Follows the groups at ${identity.issuer}`,
    ...{ before, after, client },
  });
  return changed;
}

async function takeRoleAway(
  tx: Prisma.TransactionClient,
  { client }: SignInContext,
  user: User,
): Promise<void> {
  const { count } = await tx.session.deleteMany({ where: { userId: user.id } });
  await tx.signInToken.deleteMany({ where: { userId: user.id, usedAt: null } });
  const changed = await tx.user.update({ where: { id: user.id }, data: { role: LEAST } });
  const [before, after] = [rightsOf(user), { ...rightsOf(changed), endedSessions: count }];
  if (count === 0 && before.role === LEAST) return;
  await insertAuditEntry(tx, {
    ...PROVIDER,
    action: "account.change",
    object: userRef(changed),
    why: "None of the user's groups gives a role any longer",
    ...{ before, after, client },
  });
}

/** The remaining role has no effect without a session, which requires a role from a group. */
const LEAST: Role = "viewer";

const PROVIDER = {
  actor: { kind: "system", id: "identity-provider", name: "Identity provider" },
  result: "applied",
} as const satisfies Partial<NewAuditEntry>;

function rightsOf(user: User): { readonly role: Role; readonly clusters: Json } {
  const access = clusterAccessOf(user);
  return { role: roleOf(user), clusters: access === "all" ? "all" : [...access] };
}

/** Access to a cluster that no controller has reported yet starts with the first sign-in after the report. */
async function accessOf(
  tx: Prisma.TransactionClient,
  { clusters }: ExternalIdentity,
): Promise<Partial<Pick<User, "restricted" | "clusters" | "clustersByGroups">>> {
  if (clusters === undefined) return { clustersByGroups: false };
  if (clusters === "all") return { clustersByGroups: true, restricted: false, clusters: [] };
  const given = [...clusters];
  const known = await tx.cluster.findMany({
    where: { OR: [{ id: { in: given } }, { name: { in: given } }] },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  return { clustersByGroups: true, restricted: true, clusters: known.map(({ id }) => id) };
}

/** An address that another account has by now stays theirs. */
async function namesOf(
  tx: Prisma.TransactionClient,
  user: User,
  { email, name }: ExternalIdentity,
): Promise<Pick<User, "name"> & Partial<Pick<User, "email">>> {
  if (email === user.email) return { name };
  const owner = await tx.user.findUnique({ where: { email } });
  return owner === null ? { name, email } : { name };
}

/** Audits a sign-in, once there is the session that proves it. */
export function recordExternalSignIn(
  { db, client }: SignInContext,
  user: SignedInUser & { readonly issuer: string },
  proof: SessionProof,
): Promise<void> {
  const { id, name, email, role, issuer } = user;
  return insertAuditEntry(db.prisma, {
    actor: { kind: "person", id, name },
    action: "account.sign-in",
    why: `Signed in at ${issuer}`,
    result: "applied",
    before: null,
    after: { email, role },
    client,
    proof,
  });
}

/** Audits a refused sign-in, which proves no user; the entry names the account that it was about, if any. */
export async function recordExternalRefusal(
  { db, client }: SignInContext,
  identity: Pick<ExternalIdentity, "issuer" | "subject"> | undefined,
  why: string,
): Promise<void> {
  const account =
    identity === undefined
      ? null
      : await db.prisma.account.findUnique({
          where: { providerId_accountId: externalAccount(identity) },
          include: { user: true },
        });
  await insertRefusal(db, {
    actor: { kind: "system", id: "nobody", name: "Nobody known" },
    action: "account.refused",
    ...(account === null ? {} : { object: userRef(account.user) }),
    why,
    result: "refused",
    before: null,
    after: {
      attempt: "identity-provider",
      ...(identity === undefined ? {} : { issuer: identity.issuer, subject: identity.subject }),
    },
    client,
  });
}

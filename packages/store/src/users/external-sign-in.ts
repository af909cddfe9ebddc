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

/** Who an identity provider says signs in, with what their groups give here. The caller has verified it. */
export interface ExternalIdentity {
  readonly issuer: string;
  /** Names the user at the provider for ever; an e-mail address does not. */
  readonly subject: string;
  readonly email: string;
  readonly name: string;
  /** Undefined where no group gives one. */
  readonly role: Role | undefined;
  /** By id or name; undefined where clusters do not follow groups. */
  readonly clusters: "all" | readonly string[] | undefined;
}

/** How the provider may refuse, as the audit entry says it: each has a sentence of its own on the sign-in page. */
export const EXTERNAL_REFUSALS = {
  role: "None of your groups at the identity provider gives a role in Cloudwright.",
  taken: "Another account here has your e-mail address, so this one cannot be made.",
  disabled: "Your account is disabled here.",
} as const;

/**
 * Whom an identity signs in; made at their first sign-in. Role and clusters become what the groups give, and who has lost every
 * role loses their sessions, too. An account that is not this identity's is never taken over, whatever its e-mail address. The
 * caller begins the session and then calls `recordExternalSignIn`. Throws OperationError Forbidden with one of
 * EXTERNAL_REFUSALS; a refusal is an audit entry.
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

/** Undefined for who has no role, after what they had is gone. */
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

/** Of two sign-ins that make the same user at once, the second gets what the first one made. */
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

/** What is left of a role is worth nothing without a session, which only a group gives. */
const LEAST: Role = "viewer";

const PROVIDER = {
  actor: { kind: "system", id: "identity-provider", name: "Identity provider" },
  result: "applied",
} as const satisfies Partial<NewAuditEntry>;

function rightsOf(user: User): { readonly role: Role; readonly clusters: Json } {
  const access = clusterAccessOf(user);
  return { role: roleOf(user), clusters: access === "all" ? "all" : [...access] };
}

/** A cluster that no controller has reported on yet is given with the first sign-in after it has. */
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

/** An address that somebody else has here by now stays theirs. */
async function namesOf(
  tx: Prisma.TransactionClient,
  user: User,
  { email, name }: ExternalIdentity,
): Promise<Pick<User, "name"> & Partial<Pick<User, "email">>> {
  if (email === user.email) return { name };
  const owner = await tx.user.findUnique({ where: { email } });
  return owner === null ? { name, email } : { name };
}

/** The audit entry of a sign-in, once there is the session that proves it. */
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

/** Nobody is proven by a sign-in that was refused; whom it was about is named if they have an account. */
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

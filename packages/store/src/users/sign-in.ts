import { randomUUID } from "node:crypto";
import { t } from "@cloudwright/core/model/language/text";
import type { Role } from "@cloudwright/core/model/roles";
import { insertAuditEntry, insertRefusal } from "../audit/audit-insert.ts";
import type { Database } from "../database/database.ts";
import type { Prisma, User } from "../generated/client.ts";
import type { Client } from "../operations/client.ts";
import { isOperationError, OperationError } from "../operations/errors.ts";
import { createSignInToken, hashOf, signInLinkOf } from "./sign-in-token.ts";
import { emailSchema, isDisabled, roleOf, userRef } from "./user.ts";

export interface SignInLinkInput {
  /** The dashboard's address, without a slash at its end. */
  readonly baseUrl: string;
  readonly email: string;
  /** Without it, an existing user keeps their role, and a new one is an admin. */
  readonly role?: Role | undefined;
  /** Display name of a new user; the e-mail's local part by default. */
  readonly name?: string;
  /** 15 minutes by default. */
  readonly lifetimeMs?: number;
}

export interface SignedInUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

const LIFETIME_MS = 15 * 60_000;

/** The user whom `npm start` signs in, when none is named. */
export const LOCAL_ADMIN = "operator@localhost";

/**
 * Creates a link that signs this user in once. Ensures that the user has the role, and audits the change; creates the user where that
 * cannot be a mistake: the first user of all, one for whom a role is named, and the local admin. Only a hash of the token is stored, so the
 * link cannot be read back from the database. Throws OperationError Invalid for an invalid e-mail address, and NotFound for one without an
 * account.
 */
export async function createSignInLink(db: Database, input: SignInLinkInput): Promise<string> {
  const email = requireEmail(input.email);
  const { token } = await db.prisma.$transaction(async (tx) => {
    const user = await ensureUser(tx, { ...input, email });
    const lifetimeMs = input.lifetimeMs ?? LIFETIME_MS;
    return createSignInToken(tx, { userId: user.id, lifetimeMs });
  });
  return signInLinkOf(input.baseUrl, token);
}

function requireEmail(given: string): string {
  const { data } = emailSchema.safeParse(given);
  if (data !== undefined) return data;
  throw new OperationError(
    "Invalid",
    () => `"${given}" is not an e-mail address: write it like ana@example.org.`,
  );
}

async function ensureUser(tx: Prisma.TransactionClient, input: SignInLinkInput): Promise<User> {
  const { email } = input;
  const known = await tx.user.findUnique({ where: { email } });
  if (known !== null) return input.role === undefined ? known : giveRole(tx, known, input.role);
  const isMeant = input.role !== undefined || email === LOCAL_ADMIN;
  if (!isMeant && (await tx.user.count()) > 0) {
    throw new OperationError(
      "NotFound",
      () =>
        `Nobody has the e-mail address ${email} here: correct it, have an admin add the user in Settings, or create the user with --role.`,
    );
  }
  return makeUser(tx, input);
}

/** Of two that create the same user at once, the second gets the user of the first. */
async function makeUser(
  tx: Prisma.TransactionClient,
  { email, name = defaultName(email), role = "admin" }: SignInLinkInput,
): Promise<User> {
  const [created] = await tx.user.createManyAndReturn({
    data: [{ id: randomUUID(), email, emailVerified: true, name, role }],
    skipDuplicates: true,
  });
  if (created === undefined) return tx.user.findUniqueOrThrow({ where: { email } });
  await recordCommand(tx, created, { action: "account.create", before: null, after: { role } });
  return created;
}

async function giveRole(tx: Prisma.TransactionClient, known: User, role: Role): Promise<User> {
  const before = roleOf(known);
  if (before === role) return known;
  const user = await tx.user.update({ where: { id: known.id }, data: { role } });
  const change = { before: { role: before }, after: { role } };
  await recordCommand(tx, user, { action: "account.change", ...change });
  return user;
}

/** Anybody who may write to the database may do this; the entry cannot say who that was. */
function recordCommand(
  tx: Prisma.TransactionClient,
  user: User,
  what: {
    readonly action: "account.create" | "account.change";
    readonly before: { readonly role: Role } | null;
    readonly after: { readonly role: Role };
  },
): Promise<void> {
  return insertAuditEntry(tx, {
    actor: { kind: "system", id: "sign-in-link", name: "cloudwright sign-in-link" },
    object: userRef(user),
    why: "A sign-in link was created on the command line",
    result: "applied",
    ...what,
  });
}

/**
 * Uses a token up and returns the user that it signs in, with an audit entry in the same transaction. Of two at once only one succeeds.
 * Throws OperationError Precondition when the token is unknown, used or expired, and Forbidden when its user is disabled; a refusal is
 * audited, too.
 */
export async function redeemSignInToken(
  db: Database,
  token: string,
  client?: Client,
): Promise<SignedInUser> {
  const attempt = { db, token, tokenHash: hashOf(token), client };
  try {
    return await takeToken(attempt);
  } catch (error) {
    if (isOperationError(error)) await recordRefusal(attempt, error);
    throw error;
  }
}

interface TokenAttempt {
  readonly db: Database;
  readonly token: string;
  readonly tokenHash: string;
  readonly client: Client | undefined;
}

function takeToken({ db, token, tokenHash, client }: TokenAttempt): Promise<SignedInUser> {
  return db.prisma.$transaction(async (tx) => {
    const now = new Date();
    const taken = await tx.signInToken.updateManyAndReturn({
      where: { tokenHash, usedAt: null, expiresAt: { gt: now } },
      data: { usedAt: now },
      include: { user: true },
    });
    const row = taken[0];
    if (row === undefined) {
      throw await refusal(tx.signInToken.findUnique({ where: { tokenHash } }));
    }
    if (isDisabled(row.user)) {
      throw new OperationError("Forbidden", () => t`This account is disabled: ask an admin.`);
    }
    const user = signedInUser(row.user);
    await insertAuditEntry(tx, {
      actor: { kind: "person", id: user.id, name: user.name },
      action: "account.sign-in",
      why: "Signed in with a sign-in link",
      result: "applied",
      before: null,
      after: { email: user.email, role: user.role },
      client,
      proof: { kind: "signInToken", token },
    });
    return user;
  });
}

/** Returns the user whom a token would sign in, without using it up. Throws as `redeemSignInToken` does. */
export async function peekSignInToken(db: Database, token: string): Promise<SignedInUser> {
  const tokenHash = hashOf(token);
  const row = await db.prisma.signInToken.findUnique({
    where: { tokenHash },
    include: { user: true },
  });
  if (row === null || row.usedAt !== null || row.expiresAt.getTime() <= Date.now()) {
    throw await refusal(Promise.resolve(row));
  }
  return signedInUser(row.user);
}

async function recordRefusal(
  { db, token, tokenHash, client }: TokenAttempt,
  refused: OperationError,
): Promise<void> {
  const row = await db.prisma.signInToken.findUnique({
    where: { tokenHash },
    include: { user: true },
  });
  await insertRefusal(db, {
    // A token that was never created here has no user to name.
    actor:
      row === null
        ? { kind: "system", id: "nobody", name: "Nobody known" }
        : { kind: "person", id: row.user.id, name: row.user.name },
    action: "account.refused",
    why: refused.message,
    result: "refused",
    before: null,
    after: null,
    client,
    proof: { kind: "signInToken", token },
  });
}

async function refusal(
  lookup: PromiseLike<{ readonly usedAt: Date | null } | null>,
): Promise<OperationError> {
  const token = await lookup;
  return new OperationError("Precondition", () => whyRefused(token));
}

/** All sentences say the same about what to do: get a new link from an admin, or print one beside the database. */
function whyRefused(token: { readonly usedAt: Date | null } | null): string {
  if (token === null) {
    return t`This sign-in link is not known here. Ask an admin for a new one, or print one with \`npx cloudwright sign-in-link\`.`;
  }
  return token.usedAt === null
    ? t`This sign-in link has expired. Ask an admin for a new one, or print one with \`npx cloudwright sign-in-link\`.`
    : t`This sign-in link was used already; each works once. Ask an admin for a new one, or print one with \`npx cloudwright sign-in-link\`.`;
}

export function signedInUser(user: User): SignedInUser {
  return { id: user.id, name: user.name, email: user.email, role: roleOf(user) };
}

function defaultName(email: string): string {
  return email === LOCAL_ADMIN ? "Local admin" : (email.split("@")[0] ?? email);
}

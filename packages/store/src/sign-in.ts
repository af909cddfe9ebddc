import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type Role, roleSchema } from "@cloudwright/core/model/roles";
import { insertAuditEntry } from "./audit-insert.ts";
import type { Database } from "./database.ts";
import { isOperationError, OperationError } from "./errors.ts";

export interface SignInLinkInput {
  /** Where the dashboard is reached, without a slash at its end. */
  readonly baseUrl: string;
  readonly email: string;
  readonly role: Role;
  /** Display name of a user that does not exist yet; the e-mail's local part by default. */
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

/**
 * A link that signs this user in, once. Makes sure that the user exists and has the role. Only a hash of the token is
 * kept, so the link cannot be read back from the database.
 */
export async function createSignInLink(db: Database, input: SignInLinkInput): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const email = input.email.toLowerCase();
  const now = Date.now();
  await db.prisma.$transaction(async (tx) => {
    const user = await tx.user.upsert({
      where: { email },
      update: { role: input.role },
      create: {
        id: randomUUID(),
        email,
        emailVerified: true,
        name: input.name ?? defaultName(email),
        role: input.role,
      },
    });
    await tx.signInToken.create({
      data: {
        tokenHash: hashOf(token),
        userId: user.id,
        createdAt: new Date(now),
        expiresAt: new Date(now + (input.lifetimeMs ?? LIFETIME_MS)),
      },
    });
  });
  return `${input.baseUrl.replace(/\/+$/, "")}/sign-in?token=${token}`;
}

/**
 * Uses a token up and answers whom it signs in, with an audit entry in the same transaction. Of two at once only one
 * succeeds. Throws OperationError Precondition when the token is unknown, used or expired, and Forbidden when its user is
 * banned; a refusal is an audit entry too where the user is known.
 */
export async function redeemSignInToken(db: Database, token: string): Promise<SignedInUser> {
  const tokenHash = hashOf(token);
  try {
    return await takeToken(db, tokenHash);
  } catch (error) {
    if (isOperationError(error)) await recordRefusal(db, tokenHash, error);
    throw error;
  }
}

function takeToken(db: Database, tokenHash: string): Promise<SignedInUser> {
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
    if (row.user.banned === true) {
      throw new OperationError("Forbidden", "This account is banned: ask an admin.");
    }
    const user = signedInUser(row.user);
    await insertAuditEntry(tx, {
      actor: { kind: "person", id: user.id, name: user.name },
      action: "account.sign-in",
      why: "Signed in with a sign-in link",
      result: "applied",
      before: null,
      after: { email: user.email, role: user.role },
    });
    return user;
  });
}

/** Whom a token would sign in, without using it up. Throws as `redeemSignInToken` does. */
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

/** Of a token that was never made here nobody is known who could be named. */
async function recordRefusal(
  db: Database,
  tokenHash: string,
  refused: OperationError,
): Promise<void> {
  const row = await db.prisma.signInToken.findUnique({
    where: { tokenHash },
    include: { user: true },
  });
  if (row === null) return;
  await insertAuditEntry(db.prisma, {
    actor: { kind: "person", id: row.user.id, name: row.user.name },
    action: "account.refused",
    why: refused.message,
    result: "refused",
    before: null,
    after: null,
  });
}

async function refusal(
  lookup: PromiseLike<{ readonly usedAt: Date | null } | null>,
): Promise<OperationError> {
  return new OperationError("Precondition", `${why(await lookup)} ${WAY_OUT}`);
}

const WAY_OUT = "Get a new one with `npx cloudwright sign-in-link`.";

function why(token: { readonly usedAt: Date | null } | null): string {
  if (token === null) return "This sign-in link is not known here.";
  if (token.usedAt !== null) return "This sign-in link was used already; each works once.";
  return "This sign-in link has expired.";
}

function signedInUser(user: {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string | null;
}): SignedInUser {
  const role = roleSchema.safeParse(user.role);
  return { id: user.id, name: user.name, email: user.email, role: role.data ?? "viewer" };
}

function defaultName(email: string): string {
  return email === "operator@localhost" ? "Local admin" : (email.split("@")[0] ?? email);
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

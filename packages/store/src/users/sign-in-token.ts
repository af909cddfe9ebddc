import { createHash, randomBytes } from "node:crypto";
import type { Prisma } from "../generated/client.ts";

/** How long a link is valid that an admin passes on to a user. */
export const HANDED_LINK_MS = 24 * 3_600_000;

export interface NewSignInToken {
  /** Shown once; only its hash is stored. */
  readonly token: string;
  readonly expiresAt: number;
}

/** Creates a token that signs this user in once. */
export async function createSignInToken(
  tx: Prisma.TransactionClient,
  { userId, lifetimeMs }: { readonly userId: string; readonly lifetimeMs: number },
): Promise<NewSignInToken> {
  const token = randomBytes(32).toString("base64url");
  const now = Date.now();
  const expiresAt = now + lifetimeMs;
  await tx.signInToken.create({
    data: {
      tokenHash: hashOf(token),
      userId,
      createdAt: new Date(now),
      expiresAt: new Date(expiresAt),
    },
  });
  return { token, expiresAt };
}

export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** `baseUrl` is the dashboard's address. */
export function signInLinkOf(baseUrl: string, token: string): string {
  return `${baseUrl.replace(/\/+$/, "")}/sign-in?token=${token}`;
}

import { timingSafeEqual } from "node:crypto";
import type { Role } from "@cloudwright/core/model/roles";
import { insertRefusal } from "../audit/audit-insert.ts";
import type { Database } from "../database/database.ts";
import type { Client } from "../operations/client.ts";
import { type TokenWithUser, tokenProblem, tokenRights, WITH_OWNER } from "./api-token-rights.ts";
import { apiTokenHash, isApiTokenText } from "./api-token-text.ts";
import type { ClusterAccess } from "./cluster-access.ts";

/** The user or service of a token, and their rights at this moment. */
export interface TokenHolder {
  readonly tokenId: string;
  /** The user's id; for a service token, `token:` and the token's id. */
  readonly id: string;
  readonly name: string;
  /** Empty for a service token. */
  readonly email: string;
  readonly role: Role;
  readonly clusters: ClusterAccess;
}

export type TokenUse =
  | { readonly kind: "good"; readonly holder: TokenHolder }
  | { readonly kind: "refused"; readonly why: string };

export interface TokenRequest {
  /** The text that was sent as the token. */
  readonly token: string;
  readonly client: Client;
  /** The request, such as `GET /api/v1/clusters`. */
  readonly asked: string;
}

const UNKNOWN = "This API token is not known here.";

/**
 * Returns whom a token stands for. The token is read again for each request, so that revoking it, changing a role or disabling a user takes
 * effect at once. A refused use leaves an audit entry, under the token's name if it exists.
 */
export async function acceptApiToken(db: Database, request: TokenRequest): Promise<TokenUse> {
  const now = Date.now();
  const token = await findToken(db, request.token);
  const problem = token === undefined ? UNKNOWN : tokenProblem(token, now);
  if (token === undefined || problem !== undefined) {
    const why = problem ?? UNKNOWN;
    await recordRefusedUse(db, { request, token, why });
    return { kind: "refused", why };
  }
  await noteUse(db, token, { now, address: request.client.address });
  return { kind: "good", holder: holderOf(token) };
}

/** Finds a token by its hash, so that the time this takes reveals nothing about a token; the hashes are then compared in constant time. */
async function findToken({ prisma }: Database, text: string): Promise<TokenWithUser | undefined> {
  if (!isApiTokenText(text)) return undefined;
  const tokenHash = apiTokenHash(text);
  const found = await prisma.apiToken.findUnique({ where: { tokenHash }, include: WITH_OWNER });
  const isSame =
    found !== null && timingSafeEqual(Buffer.from(found.tokenHash), Buffer.from(tokenHash));
  return isSame ? found : undefined;
}

const NOTED_EVERY_MS = 60_000;

/** Notes the use at most once a minute, whatever the number of requests and dashboards. */
async function noteUse(
  { prisma }: Database,
  { id, lastUsedAt }: TokenWithUser,
  { now, address }: { readonly now: number; readonly address: string },
): Promise<void> {
  const before = new Date(now - NOTED_EVERY_MS);
  if (lastUsedAt !== null && lastUsedAt > before) return;
  await prisma.apiToken.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: before } }] },
    data: { lastUsedAt: new Date(now), lastUsedAddress: address },
  });
}

function holderOf(token: TokenWithUser): TokenHolder {
  const { id, name, user } = token;
  const rights = tokenRights(token);
  return user === null
    ? { tokenId: id, id: `token:${id}`, name, email: "", ...rights }
    : { tokenId: id, id: user.id, name: user.name, email: user.email, ...rights };
}

/** The database accepts no user on the strength of a token, so the entry names no user as its actor, and the token as its object. */
async function recordRefusedUse(
  db: Database,
  refused: {
    readonly request: TokenRequest;
    readonly token: TokenWithUser | undefined;
    readonly why: string;
  },
): Promise<void> {
  const { request, token, why } = refused;
  const of = token === undefined ? {} : { object: tokenRef(token) };
  await insertRefusal(db, {
    actor: { kind: "system", id: "nobody", name: "Nobody known" },
    action: "account.refused",
    why,
    result: "refused",
    before: null,
    after: { request: request.asked, attempt: "api-token", owner: token?.user?.email ?? null },
    client: request.client,
    ...of,
  });
}

export function tokenRef({ id, name }: Pick<TokenWithUser, "id" | "name">) {
  return { kind: "ApiToken", name, uid: id } as const;
}

import { randomUUID } from "node:crypto";
import { t } from "@cloudwright/core/model/language/text";
import { type Role, roleIncludes } from "@cloudwright/core/model/roles";
import { z } from "zod";
import type { Prisma } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import {
  type Attempt,
  carryOut,
  requireReach,
  requireRole,
  type VerbContext,
} from "../operations/verb.ts";
import { lockAdmins } from "../sql/users.ts";
import { storableText } from "../text/storable-text.ts";
import { API_TOKEN_DAYS_MOST, API_TOKEN_KINDS, type ApiTokenView } from "../views/api-tokens.ts";
import { tokenRef } from "./accept-api-token.ts";
import { type TokenWithUser, tokenProblem, tokenRights, WITH_OWNER } from "./api-token-rights.ts";
import { apiTokenHash, newApiToken } from "./api-token-text.ts";
import { type ClusterAccess, mayReach, unknownCluster } from "./cluster-access.ts";
import { lockUser, roleInputSchema, userIdSchema, whySchema } from "./user.ts";

const DAY_MS = 86_400_000;
/** How long the list still shows an expired token, so that its user sees why it no longer works. */
const SHOWN_AFTER_MS = 30 * DAY_MS;
const LIST_MOST = 1_000;
const OF_USER_MOST = 50;
const OF_SERVICES_MOST = 500;
const CLUSTERS_MOST = 500;

/** Returns the user's own tokens, the newest first. */
export function listOwnTokens(context: VerbContext): Promise<readonly ApiTokenView[]> {
  return readTokens(context, { userId: context.actor.id });
}

/** Returns the tokens of services and of all users. Throws OperationError Forbidden for all but admins of all clusters. */
export async function listTokens(context: VerbContext): Promise<readonly ApiTokenView[]> {
  requireRole(context, "admin");
  requireReach(context, { needs: "admin" });
  return readTokens(context, {});
}

async function readTokens(
  { db }: VerbContext,
  of: Prisma.ApiTokenWhereInput,
): Promise<readonly ApiTokenView[]> {
  const now = Date.now();
  const rows = await db.prisma.apiToken.findMany({
    where: { ...of, revokedAt: null, expiresAt: { gt: new Date(now - SHOWN_AFTER_MS) } },
    include: WITH_OWNER,
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    take: LIST_MOST,
  });
  return rows.map((row) => tokenView(row, now));
}

export const createTokenSchema = z.object({
  kind: z.enum(API_TOKEN_KINDS),
  name: storableText(100).trim().min(1),
  role: roleInputSchema,
  /** `all` for a personal token: all clusters that its user may see, now and later. */
  clusters: z.union([
    z.literal("all"),
    z.array(storableText(200).min(1)).min(1).max(CLUSTERS_MOST).readonly(),
  ]),
  days: z.number().int().min(1).max(API_TOKEN_DAYS_MOST),
  why: whySchema,
});
export type CreateTokenInput = z.infer<typeof createTokenSchema>;

export interface NewApiToken {
  readonly view: ApiTokenView;
  /** Shown once; only its hash is stored. */
  readonly token: string;
}

/**
 * Creates a token. Users may make personal tokens for themselves, up to their own role and clusters; a service token needs an admin of all
 * clusters. Throws OperationError Forbidden, NotFound for a cluster hidden from the actor, Conflict for a name that another live token has,
 * and Limit.
 */
export async function createToken(
  context: VerbContext,
  input: CreateTokenInput,
): Promise<NewApiToken> {
  const { kind, name, role, why } = input;
  const clusters: ClusterAccess = input.clusters === "all" ? "all" : [...new Set(input.clusters)];
  const token = newApiToken();
  const now = Date.now();
  const expiresAt = new Date(now + input.days * DAY_MS);
  const given = {
    ...{ kind, name, role, clusters: clusters === "all" ? "all" : [...clusters] },
    expiresAt: expiresAt.toISOString(),
  };
  const attempt: Attempt = {
    action: "account.token-create",
    needs: kind === "service" ? "admin" : undefined,
    object: { kind: "ApiToken", name },
    why: why ?? "Made an API token",
    wanted: given,
  };
  return carryOut(context, attempt, async (tx) => {
    requireOwnRights(context, role, clusters);
    await requireRoom(tx, context, { kind, name });
    await requireKnown(tx, clusters);
    const row = await tx.apiToken.create({
      data: {
        ...{ id: randomUUID(), tokenHash: apiTokenHash(token), name, role, expiresAt },
        userId: kind === "personal" ? context.actor.id : null,
        restricted: clusters !== "all",
        clusters: clusters === "all" ? [] : [...clusters],
        createdAt: new Date(now),
        ...{ createdById: context.actor.id, createdByName: context.actor.name },
      },
      include: WITH_OWNER,
    });
    return {
      result: { view: tokenView(row, now), token },
      audit: { before: null, after: given, object: tokenRef(row) },
    };
  });
}

function requireOwnRights({ actor }: VerbContext, role: Role, clusters: ClusterAccess): void {
  if (!roleIncludes(actor.role, role)) {
    throw new OperationError(
      "Forbidden",
      () => t`A token can have at most your own role: you are ${actor.role}, not ${role}.`,
    );
  }
  if (clusters !== "all" && clusters.some((cluster) => !mayReach(actor.clusters, cluster))) {
    throw new OperationError("NotFound", unknownCluster);
  }
}

/** Locks out other new tokens for the same user, or for a service, until the transaction ends. */
async function requireRoom(
  tx: Prisma.TransactionClient,
  { actor }: VerbContext,
  { kind, name }: Pick<CreateTokenInput, "kind" | "name">,
): Promise<void> {
  const isService = kind === "service";
  if (isService) await lockAdmins(tx);
  else await lockUser(tx, actor.id);
  const others = await tx.apiToken.findMany({
    where: {
      userId: isService ? null : actor.id,
      revokedAt: null,
      expiresAt: { gt: new Date() },
    },
    select: { name: true },
  });
  if (others.some((other) => other.name === name)) {
    throw new OperationError(
      "Conflict",
      () => t`There is a token ${name} already: choose another name.`,
    );
  }
  const most = isService ? OF_SERVICES_MOST : OF_USER_MOST;
  if (others.length < most) return;
  throw new OperationError("Limit", () => t`There are ${most} tokens already: revoke one first.`);
}

async function requireKnown(tx: Prisma.TransactionClient, clusters: ClusterAccess): Promise<void> {
  if (clusters === "all") return;
  const known = await tx.cluster.count({ where: { id: { in: [...clusters] } } });
  if (known < clusters.length) throw new OperationError("NotFound", unknownCluster);
}

export const revokeTokenSchema = z.object({ id: userIdSchema.pipe(z.uuid()), why: whySchema });
export type RevokeTokenInput = z.infer<typeof revokeTokenSchema>;

/** Revokes the user's own token, or any token for an admin of all clusters. Throws OperationError Forbidden and NotFound. */
export async function revokeToken(
  context: VerbContext,
  { id, why }: RevokeTokenInput,
): Promise<void> {
  const found = await context.db.prisma.apiToken.findUnique({
    where: { id },
    include: WITH_OWNER,
  });
  const attempt: Attempt = {
    action: "account.token-revoke",
    needs: found !== null && found.userId === context.actor.id ? undefined : "admin",
    object: found === null ? undefined : tokenRef(found),
    why: why ?? "Revoked the API token",
    wanted: {},
  };
  await carryOut(context, attempt, async (tx) => {
    const revoked = await tx.apiToken.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    if (found === null || revoked.count === 0) {
      throw new OperationError(
        "NotFound",
        () => t`This API token was revoked already: reload the list.`,
      );
    }
    const { name, role, user } = found;
    const before = { name, role, owner: user?.email ?? null };
    return { result: undefined, audit: { before, after: null } };
  });
}

function tokenView(row: TokenWithUser, now: number): ApiTokenView {
  const { user } = row;
  return {
    id: row.id,
    kind: user === null ? "service" : "personal",
    name: row.name,
    owner: user === null ? undefined : { id: user.id, name: user.name, email: user.email },
    ...tokenRights(row),
    createdAt: row.createdAt.getTime(),
    createdBy: row.createdByName,
    expiresAt: row.expiresAt.getTime(),
    lastUsedAt: row.lastUsedAt?.getTime(),
    lastUsedAddress: row.lastUsedAddress ?? undefined,
    state: stateOf(row, now),
  };
}

function stateOf(row: TokenWithUser, now: number): ApiTokenView["state"] {
  if (row.expiresAt.getTime() <= now) return "expired";
  return tokenProblem(row, now) === undefined ? "active" : "blocked";
}

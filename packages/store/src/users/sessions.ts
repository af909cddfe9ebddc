import { t } from "@cloudwright/core/model/language/text";
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
import type { SessionView } from "../views/views.ts";
import { endOf, userIdSchema, userRef, whySchema } from "./user.ts";

export interface SessionContext extends VerbContext {
  /** The session of the request. */
  readonly sessionId?: string | undefined;
}

const LIST_MOST = 500;
const WITH_USER = { user: true } as const;

/**
 * Lists live sessions, the last used first, at most 500: of one user, or of all. Users may list their own; throws OperationError Forbidden
 * for other users' unless the actor is an admin of all clusters.
 */
export async function listSessions(
  context: SessionContext,
  { userId }: { readonly userId?: string | undefined },
): Promise<readonly SessionView[]> {
  if (userId !== context.actor.id) {
    requireRole(context, "admin");
    requireReach(context, { needs: "admin" });
  }
  const rows = await context.db.prisma.session.findMany({
    where: { ...liveAt(new Date()), ...(userId === undefined ? {} : { userId }) },
    include: WITH_USER,
    orderBy: [{ updatedAt: "desc" }, { id: "asc" }],
    take: LIST_MOST,
  });
  return rows.map((row) => sessionView(row, context.sessionId));
}

function liveAt(now: Date): Prisma.SessionWhereInput {
  return { expiresAt: { gt: now }, OR: [{ endsAt: null }, { endsAt: { gt: now } }] };
}

export const revokeSessionSchema = z.object({ id: userIdSchema, why: whySchema });
export type RevokeSessionInput = z.infer<typeof revokeSessionSchema>;

/** Ends the user's own session, or anybody's for an admin. Throws OperationError Forbidden and NotFound. */
export async function revokeSession(
  context: SessionContext,
  { id, why }: RevokeSessionInput,
): Promise<void> {
  const found = await context.db.prisma.session.findUnique({ where: { id }, include: WITH_USER });
  const attempt = attemptOn(context, { owner: found?.user, why: why ?? "Ended the session" });
  await carryOut(context, attempt, async (tx) => {
    const ended = await tx.session.deleteMany({ where: { id } });
    if (found === null || ended.count === 0) {
      throw new OperationError("NotFound", () => t`This session has ended already.`);
    }
    const before = { session: id, address: found.ipAddress, agent: found.userAgent };
    return { result: undefined, audit: { before, after: null } };
  });
}

export const revokeAllSessionsSchema = z.object({
  userId: userIdSchema,
  /** Keeps the session of the request when users end their own. */
  exceptThis: z.boolean().default(true),
  why: whySchema,
});
export type RevokeAllSessionsInput = z.infer<typeof revokeAllSessionsSchema>;

/** Ends all sessions of a user; returns how many. Throws OperationError Forbidden and NotFound. */
export async function revokeAllSessions(
  context: SessionContext,
  { userId, exceptThis, why }: RevokeAllSessionsInput,
): Promise<{ readonly ended: number }> {
  const owner = await context.db.prisma.user.findUnique({ where: { id: userId } });
  const attempt = attemptOn(context, {
    owner: owner ?? undefined,
    why: why ?? "Ended all sessions",
  });
  return carryOut(context, attempt, async (tx) => {
    if (owner === null) throw new OperationError("NotFound", () => t`This user does not exist.`);
    const keep = exceptThis ? context.sessionId : undefined;
    const where = { userId, ...(keep === undefined ? {} : { id: { not: keep } }) };
    const { count } = await tx.session.deleteMany({ where });
    const audit = { before: { sessions: count }, after: { sessions: 0 } };
    return count === 0 ? { result: { ended: 0 } } : { result: { ended: count }, audit };
  });
}

function attemptOn(
  { actor }: SessionContext,
  {
    owner,
    why,
  }: { readonly owner: Parameters<typeof userRef>[0] | undefined; readonly why: string },
): Attempt {
  return {
    action: "account.session-revoke",
    needs: owner?.id === actor.id ? undefined : "admin",
    object: owner === undefined ? undefined : userRef(owner),
    why,
    wanted: {},
  };
}

type SessionRow = Prisma.SessionGetPayload<{ include: typeof WITH_USER }>;

/** Leaves out the token: whoever has it has the session. */
function sessionView(row: SessionRow, current: string | undefined): SessionView {
  return {
    id: row.id,
    person: { id: row.user.id, name: row.user.name, email: row.user.email },
    createdAt: row.createdAt.getTime(),
    lastSeenAt: row.updatedAt.getTime(),
    expiresAt: endOf(row),
    address: row.ipAddress ?? undefined,
    agent: row.userAgent ?? undefined,
    isThis: row.id === current,
  };
}

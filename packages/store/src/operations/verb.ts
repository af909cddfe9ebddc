import type { Actor, AuditEntry } from "@cloudwright/core/model/audit/audit";
import { t } from "@cloudwright/core/model/language/text";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import { type Role, roleIncludes } from "@cloudwright/core/model/roles";
import type { Json } from "@cloudwright/core/model/values/json";
import { insertAuditEntry, insertRefusal, type NewAuditEntry } from "../audit/audit-insert.ts";
import type { Database } from "../database/database.ts";
import type { Prisma } from "../generated/client.ts";
import { isLiveSession } from "../sql/users.ts";
import {
  type ClusterAccess,
  isRestricted,
  mayReach,
  unknownCluster,
} from "../users/cluster-access.ts";
import type { SessionProof } from "../users/session-proof.ts";
import type { Client } from "./client.ts";
import { isOperationError, OperationError } from "./errors.ts";

/** Who requests a change, and from where. */
export interface VerbContext {
  readonly db: Database;
  readonly actor: VerbActor;
  readonly client?: Client | undefined;
  /** The user's session. A command has none: it needs a login that owns the ledger. */
  readonly session?: SessionProof | undefined;
}

export interface VerbActor {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Absent: all clusters. */
  readonly clusters?: ClusterAccess | undefined;
}

/** A requested change as its audit entry has it, whether it succeeds or is refused. */
export interface Attempt {
  readonly action: AuditEntry["action"];
  /** The lowest role that may do it; undefined when the work decides by what it finds. */
  readonly needs: Role | undefined;
  /** Absent for changes of accounts. */
  readonly cluster?: string;
  readonly object?: ObjectRef | undefined;
  readonly why: string;
  /** The request as the entry of a refused attempt states it. No secrets. */
  readonly wanted: { readonly [member: string]: Json };
  readonly intentId?: string;
}

export interface Done<Result> {
  readonly result: Result;
  /** Absent when nothing had to be changed. No secrets. */
  readonly audit?: Pick<NewAuditEntry, "before" | "after"> & Partial<Pick<NewAuditEntry, "object">>;
}

/** Allows for waiting for another user's change, and for a busy database. */
const TRANSACTION = { maxWait: 10_000, timeout: 20_000 } as const;

/**
 * Carries out a user's request: role check, work and audit entry, in one transaction. A refusal by an OperationError leaves only an audit
 * entry of the refusal. Throws Forbidden for an insufficient role, NotFound for a cluster hidden from the actor, and whatever the work
 * throws.
 */
export async function carryOut<Result>(
  context: VerbContext,
  attempt: Attempt,
  work: (tx: Prisma.TransactionClient) => Promise<Done<Result>>,
): Promise<Result> {
  try {
    requireRole(context, attempt.needs);
    requireReach(context, attempt);
    return await context.db.prisma.$transaction(async (tx) => {
      await verifySession(tx, context);
      const { result, audit } = await work(tx);
      if (audit !== undefined) {
        const entry = { ...entryOf(context, attempt), ...audit, result: "applied" } as const;
        // The session was verified above, and the work may have ended it.
        await insertAuditEntry(tx, { ...entry, proof: undefined });
      }
      return result;
    }, TRANSACTION);
  } catch (error) {
    if (error instanceof SessionOverError) throw sessionOver(error);
    if (isOperationError(error)) await recordRefusal(context, attempt, error.message);
    throw error;
  }
}

export interface Task<Result> {
  readonly attempt: Attempt;
  /** Throws an OperationError only if no statement of the transaction has failed. */
  readonly work: (tx: Prisma.TransactionClient) => Promise<Done<Result>>;
}

export type TaskOutcome<Result> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "refused"; readonly error: OperationError };

/** Allows for a hundred of them, and for a busy database. */
const LONG_TRANSACTION = { maxWait: 10_000, timeout: 60_000 } as const;

/**
 * Carries out several requests of a user in one transaction: a refused one does not hold back the others, and each has its own audit entry.
 * A user who may not do one of them does none: that throws Forbidden, or NotFound for a cluster hidden from the actor, with one entry.
 */
export async function carryOutMany<Result>(
  context: VerbContext,
  tasks: readonly Task<Result>[],
): Promise<readonly TaskOutcome<Result>[]> {
  for (const { attempt } of tasks) await requireRightsOnRecord(context, attempt);
  try {
    return await context.db.prisma.$transaction(async (tx) => {
      await verifySession(tx, context);
      const ends: (TaskOutcome<Result> & { readonly entry: NewAuditEntry | undefined })[] = [];
      for (const task of tasks) ends.push(await carriedOut(tx, context, task));
      // Other writers of the chain wait until this transaction ends.
      for (const { entry } of ends) {
        // The session was verified above.
        if (entry !== undefined) await insertAuditEntry(tx, { ...entry, proof: undefined });
      }
      return ends.map(({ entry: _, ...outcome }) => outcome);
    }, LONG_TRANSACTION);
  } catch (error) {
    if (error instanceof SessionOverError) throw sessionOver(error);
    throw error;
  }
}

async function requireRightsOnRecord(context: VerbContext, attempt: Attempt): Promise<void> {
  try {
    requireRole(context, attempt.needs);
    requireReach(context, attempt);
  } catch (error) {
    if (isOperationError(error)) await recordRefusal(context, attempt, error.message);
    throw error;
  }
}

async function carriedOut<Result>(
  tx: Prisma.TransactionClient,
  context: VerbContext,
  { attempt, work }: Task<Result>,
): Promise<TaskOutcome<Result> & { readonly entry: NewAuditEntry | undefined }> {
  try {
    const { result, audit } = await work(tx);
    if (audit === undefined) return { kind: "done", result, entry: undefined };
    return {
      ...{ kind: "done", result },
      entry: { ...entryOf(context, attempt), ...audit, result: "applied" },
    };
  } catch (error) {
    if (!isOperationError(error)) throw error;
    return {
      kind: "refused",
      error,
      entry: await refusalEntry(tx, context, { attempt, refusal: error.message }),
    };
  }
}

/** Not audited: this is not a refusal of a known user. */
class SessionOverError extends Error {}

function sessionOver(cause: SessionOverError): OperationError {
  return new OperationError("Forbidden", () => t`Your session has ended: sign in again.`, {
    cause,
  });
}

/** Tells the database who acts in this transaction. Throws SessionOverError for a session that is not live. */
async function verifySession(
  tx: Prisma.TransactionClient,
  { session }: VerbContext,
): Promise<void> {
  if (session !== undefined && !(await isLiveSession(tx, session))) throw new SessionOverError();
}

/** Audits an attempt that was refused before any work began. */
async function recordRefusal(
  context: VerbContext,
  attempt: Attempt,
  refusal: string,
): Promise<void> {
  const entry = await refusalEntry(context.db.prisma, context, { attempt, refusal });
  await insertRefusal(context.db, entry);
}

interface Refused {
  readonly attempt: Attempt;
  readonly refusal: string;
}

/** A cluster that nobody has reported has no chain: what was tried there is recorded with the accounts. */
async function refusalEntry(
  tx: Pick<Prisma.TransactionClient, "cluster">,
  context: VerbContext,
  { attempt, refusal }: Refused,
): Promise<NewAuditEntry> {
  const { cluster: named, ...entry } = entryOf(context, attempt);
  const after = { ...attempt.wanted, refusal };
  const refused = { ...entry, result: "refused", before: null } as const;
  if (named === undefined) return { ...refused, after };
  const isKnown = (await tx.cluster.count({ where: { id: named } })) > 0;
  return isKnown
    ? { ...refused, cluster: named, after }
    : { ...refused, after: { ...after, cluster: named } };
}

export function requireRole({ actor }: Pick<VerbContext, "actor">, needed: Role | undefined): void {
  if (needed === undefined || roleIncludes(actor.role, needed)) return;
  throw new OperationError(
    "Forbidden",
    () => t`Needs role ${needed}; ${actor.name} is ${actor.role}. Ask an admin.`,
  );
}

/**
 * Throws OperationError NotFound for a cluster hidden from the actor. A change of no cluster affects all of them, so an admin of some
 * clusters may not manage accounts: otherwise they could take the other clusters as well.
 */
export function requireReach(
  { actor }: Pick<VerbContext, "actor">,
  { cluster, needs }: Pick<Attempt, "cluster" | "needs">,
): void {
  if (cluster !== undefined) {
    if (mayReach(actor.clusters, cluster)) return;
    throw new OperationError("NotFound", unknownCluster);
  }
  if (needs !== "admin" || !isRestricted(actor.clusters)) return;
  throw new OperationError(
    "Forbidden",
    () =>
      t`Needs an admin of all clusters; ${actor.name} is restricted to some of them. Ask an admin.`,
  );
}

function entryOf(
  context: VerbContext,
  attempt: Attempt,
): Omit<NewAuditEntry, "result" | "before" | "after"> {
  const actor: Actor = { kind: "person", id: context.actor.id, name: context.actor.name };
  return {
    actor,
    action: attempt.action,
    why: attempt.why,
    client: context.client,
    proof: context.session,
    ...(attempt.cluster === undefined ? {} : { cluster: attempt.cluster }),
    ...(attempt.object === undefined ? {} : { object: attempt.object }),
    ...(attempt.intentId === undefined ? {} : { intentId: attempt.intentId }),
  };
}

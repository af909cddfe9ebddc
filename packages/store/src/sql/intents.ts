import type { Intent, IntentKind } from "@cloudwright/core/model/actions/intent";
import type { Claimant, IntentReport } from "@cloudwright/core/reconcile/ports";
import type { Database } from "../database/database.ts";
import { Prisma } from "../generated/client.ts";

/* By hand: queries by the database's clock, which all processes share, with its locks, or that find and change in one statement. */

/**
 * Reports whether a cluster has an intent in one of these states. Avoids Prisma, whose query compiler takes 70 MiB once used: a controller
 * polls every few seconds, and most polls find nothing.
 */
export async function hasAny(
  { pool }: Database,
  cluster: string,
  states: readonly Intent["state"][],
): Promise<boolean> {
  const { rowCount } = await pool.query(
    "SELECT FROM intents WHERE cluster_id = $1 AND state = ANY($2::text[]) LIMIT 1",
    [cluster, states],
  );
  return rowCount !== null && rowCount > 0;
}

/** Returns whether the claimant has it now: it was in one of these states, not overdue, and no newer lease had claimed it. */
export async function claimRow(
  tx: Prisma.TransactionClient,
  id: string,
  { from, by }: { readonly from: readonly Intent["state"][]; readonly by: Claimant },
): Promise<boolean> {
  const claimed = await tx.$executeRaw`
    UPDATE intents
       SET state = 'claimed', claimed_by = ${by.identity},
           claimed_transition = ${by.leaseTransitions}, updated_at = now()
     WHERE id = ${id}::uuid
       AND state IN (${Prisma.join(from)})
       AND (state = 'running' OR expires_at > now())
       AND (claimed_transition IS NULL OR claimed_transition < ${by.leaseTransitions}
            OR (claimed_by = ${by.identity} AND claimed_transition = ${by.leaseTransitions}))`;
  return claimed > 0;
}

/**
 * Returns whether the report was stored: the intent was the claimant's, in one of these states. Fields missing from the report stay
 * unchanged.
 */
export async function reportRow(
  tx: Prisma.TransactionClient,
  id: string,
  {
    from,
    by,
    report,
  }: {
    readonly from: readonly Intent["state"][];
    readonly by: Claimant;
    readonly report: IntentReport;
  },
): Promise<boolean> {
  const preview = report.preview === undefined ? null : JSON.stringify(report.preview);
  const loops = report.loops === undefined ? null : JSON.stringify(report.loops);
  const evidence = report.evidence === undefined ? null : JSON.stringify(report.evidence);
  const run = report.runId ?? null;
  const reported = await tx.$executeRaw`
    UPDATE intents
       SET state = ${report.state}, updated_at = now(),
           result = COALESCE(${report.result ?? null}, result),
           preview = COALESCE(${preview}::jsonb, preview),
           loops = COALESCE(${loops}::jsonb, loops),
           evidence = COALESCE(${evidence}::jsonb, evidence),
           run_ids = CASE WHEN ${run}::text IS NULL OR ${run} = ANY(run_ids)
                          THEN run_ids ELSE array_append(run_ids, ${run}) END
     WHERE id = ${id}::uuid
       AND state IN (${Prisma.join(from)})
       AND claimed_by = ${by.identity}
       AND claimed_transition = ${by.leaseTransitions}`;
  return reported > 0;
}

/** Another person's approval, with the plan that they saw, or their refusal, with the action's result. */
export interface DecisionRow {
  readonly by: { readonly id: string; readonly name: string };
  readonly why: string;
  readonly approved?: { readonly planHash: string; readonly lifetimeMs: number } | undefined;
  readonly result?: string | undefined;
}

/**
 * Returns whether the decision was stored: only while the action waits for approval. Of several who decide, withdraw or expire it, one is
 * first.
 */
export async function decideRow(
  tx: Prisma.TransactionClient,
  id: string,
  { by, why, approved, result = undefined }: DecisionRow,
): Promise<boolean> {
  const decided = await tx.$executeRaw`
    UPDATE intents
       SET state = ${approved === undefined ? "rejected" : "requested"}, updated_at = now(),
           decided_by_id = ${by.id}, decided_by_name = ${by.name}, decided_why = ${why}, decided_at = now(),
           result = COALESCE(${result ?? null}, result),
           plan_hash = COALESCE(${approved?.planHash ?? null}, plan_hash),
           expires_at = CASE WHEN ${approved?.lifetimeMs ?? null}::float8 IS NULL THEN expires_at
                        ELSE now() + ${approved?.lifetimeMs ?? null}::float8 * interval '1 millisecond' END
     WHERE id = ${id}::uuid AND state = 'awaiting-approval' AND expires_at > now()
       AND actor_id <> ${by.id}`;
  return decided > 0;
}

/** The results of an intent that ends as *expired*. */
export interface ExpiryResults {
  readonly notApproved: string;
  readonly notFinished: string;
}

/** Ends overdue intents as *expired*, and returns their ids. */
export async function expireRows(
  tx: Prisma.TransactionClient,
  cluster: string,
  { from, results }: { readonly from: readonly Intent["state"][]; readonly results: ExpiryResults },
): Promise<readonly string[]> {
  const overdue = await tx.$queryRaw<{ id: string }[]>`
    UPDATE intents SET state = 'expired', updated_at = now(),
           result = CASE WHEN state = 'awaiting-approval' THEN ${results.notApproved} ELSE ${results.notFinished} END
     WHERE cluster_id = ${cluster} AND expires_at <= now() AND state IN (${Prisma.join(from)})
    RETURNING id::text`;
  return overdue.map(({ id }) => id);
}

/** A user's recent requests. */
export interface RecentRequests {
  /** Requests outside batches. */
  readonly single: number;
  readonly other_batches: number;
  readonly in_batch: number;
}

export async function recentRequests(
  tx: Prisma.TransactionClient,
  request: {
    readonly kind: IntentKind;
    readonly actorId: string;
    readonly batch?: string | undefined;
    /** Milliseconds since the epoch. */
    readonly since: number;
  },
): Promise<RecentRequests> {
  const { kind, actorId, batch = null, since } = request;
  const [requested] = await tx.$queryRaw<RecentRequests[]>`
    SELECT count(*) FILTER (WHERE batch_id IS NULL)::int AS single,
           count(DISTINCT batch_id) FILTER (WHERE batch_id <> ${batch}::uuid)::int AS other_batches,
           count(*) FILTER (WHERE batch_id = ${batch}::uuid)::int AS in_batch
      FROM intents
     WHERE actor_id = ${actorId} AND requested_at > ${new Date(since)}
       AND (kind = 'preview') = ${kind === "preview"}`;
  return requested ?? { single: 0, other_batches: 0, in_batch: 0 };
}

/** Returns how long ago the last acting leader was heard, by the database's clock, which all processes share; Infinity for none. */
export async function silenceOfLeader({ pool }: Database, cluster: string): Promise<number> {
  const { rows } = await pool.query<{ silent_ms: number | null }>(
    `SELECT (extract(epoch FROM now() - max(heard_at)) * 1000)::float8 AS silent_ms
       FROM controller_instances WHERE cluster_id = $1 AND leader AND NOT dry_run`,
    [cluster],
  );
  return rows[0]?.silent_ms ?? Number.POSITIVE_INFINITY;
}

/** Makes others that lock the same wait until the transaction ends. */
export async function lockUntilEnd(tx: Prisma.TransactionClient, what: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${what}, 0))`;
}

import { INTENT_STATES, type Intent, isFinal, mayBecome } from "@cloudwright/core/model/intent";
import type { Claimant, IntentReport } from "@cloudwright/core/reconcile/ports";
import { insertAuditEntry } from "../audit/audit-insert.ts";
import type { Database } from "../database/database.ts";
import { Prisma, type Intent as StoredIntent } from "../generated/client.ts";
import { objectOfIntent, parseIntent } from "./intents.ts";

/**
 * The intents of a cluster that a leader may work on, oldest first; those that are overdue are ended as *expired* before.
 * The database's clock decides: it is the one that all processes share.
 */
export async function openIntents(db: Database, cluster: string): Promise<readonly Intent[]> {
  if (!(await hasUnended(db, cluster))) return [];
  await expireOverdue(db, cluster);
  const rows = await db.prisma.intent.findMany({
    where: { clusterId: cluster, state: { in: ["requested", "claimed", "running"] } },
    orderBy: [{ requestedAt: "asc" }, { id: "asc" }],
  });
  return rows.flatMap(knownIntent);
}

/**
 * A newer release may have written an action that this one does not know. It must not keep the others from being carried
 * out; nobody claims it here, and if no newer leader does, it ends as *expired*, which says so.
 */
function knownIntent(row: StoredIntent): readonly Intent[] {
  const intent = parseIntent(row);
  return intent === undefined ? [] : [intent];
}

/**
 * Asked without Prisma, whose query compiler takes 70 MiB once it is used: a controller looks every few seconds, and
 * most of them never find an intent.
 */
async function hasUnended(db: Database, cluster: string): Promise<boolean> {
  const unended = INTENT_STATES.filter((state) => !isFinal(state));
  const { rowCount } = await db.pool.query(
    "SELECT FROM intents WHERE cluster_id = $1 AND state = ANY($2::text[]) LIMIT 1",
    [cluster, unended],
  );
  return rowCount !== null && rowCount > 0;
}

/** True when the claimant has it now. An older lease's claim gives way, a newer one's stands. */
export function claimIntent(db: Database, intent: Intent, claimant: Claimant): Promise<boolean> {
  return db.prisma.$transaction(async (tx) => {
    const claimed = await tx.$executeRaw`
      UPDATE intents
         SET state = 'claimed', claimed_by = ${claimant.identity},
             claimed_transition = ${claimant.leaseTransitions}, updated_at = now()
       WHERE id = ${intent.id}::uuid
         AND state IN (${Prisma.join(statesBefore("claimed"))})
         AND (state = 'running' OR expires_at > now())
         AND (claimed_transition IS NULL OR claimed_transition < ${claimant.leaseTransitions}
              OR (claimed_by = ${claimant.identity} AND claimed_transition = ${claimant.leaseTransitions}))`;
    if (claimed === 0) return false;
    await insertAuditEntry(tx, {
      cluster: intent.cluster,
      actor: actorOf(claimant),
      action: "intent.claim",
      object: intent.object,
      why: intent.why,
      result: "applied",
      before: { state: intent.state },
      after: { state: "claimed", leaseTransitions: claimant.leaseTransitions },
      intentId: intent.id,
    });
    return true;
  });
}

export interface ReportInput {
  readonly intent: Intent;
  readonly claimant: Claimant;
  readonly report: IntentReport;
}

/** False when the intent is no longer the claimant's or may not become what is reported. */
export function reportIntent(db: Database, input: ReportInput): Promise<boolean> {
  const { intent, claimant, report } = input;
  const preview = report.preview === undefined ? null : JSON.stringify(report.preview);
  const loops = report.loops === undefined ? null : JSON.stringify(report.loops);
  return db.prisma.$transaction(async (tx) => {
    const reported = await tx.$executeRaw`
      UPDATE intents
         SET state = ${report.state}, updated_at = now(),
             result = COALESCE(${report.result ?? null}, result),
             preview = COALESCE(${preview}::jsonb, preview),
             loops = COALESCE(${loops}::jsonb, loops),
             run_ids = CASE WHEN ${report.runId ?? null}::text IS NULL OR ${report.runId ?? null} = ANY(run_ids)
                            THEN run_ids ELSE array_append(run_ids, ${report.runId ?? null}) END
       WHERE id = ${intent.id}::uuid
         AND state IN (${Prisma.join(statesBefore(report.state))})
         AND claimed_by = ${claimant.identity}
         AND claimed_transition = ${claimant.leaseTransitions}`;
    if (reported === 0) return false;
    if (isFinal(report.state)) await recordEnd(tx, input);
    return true;
  });
}

async function expireOverdue(db: Database, cluster: string): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const overdue = await tx.$queryRaw<{ id: string }[]>`
      UPDATE intents
         SET state = 'expired', updated_at = now(),
             result = 'No leader finished it before it expired; ask again.'
       WHERE cluster_id = ${cluster} AND expires_at <= now()
         AND state IN (${Prisma.join(statesBefore("expired"))})
      RETURNING id::text`;
    if (overdue.length === 0) return;
    const rows = await tx.intent.findMany({ where: { id: { in: overdue.map((row) => row.id) } } });
    for (const row of rows) {
      await insertAuditEntry(tx, {
        cluster,
        actor: { kind: "system", id: "cloudwright", name: "Cloudwright" },
        action: "intent.end",
        object: objectOfIntent(row),
        why: row.why,
        result: "failed",
        before: null,
        after: { state: "expired" },
        intentId: row.id,
      });
    }
  });
}

async function recordEnd(tx: Prisma.TransactionClient, input: ReportInput): Promise<void> {
  const { intent, claimant, report } = input;
  await insertAuditEntry(tx, {
    cluster: intent.cluster,
    actor: actorOf(claimant),
    action: "intent.end",
    object: intent.object,
    why: intent.why,
    result: RESULTS[report.state] ?? "failed",
    before: { state: intent.state },
    after: {
      state: report.state,
      result: report.result ?? null,
      ...(report.loops === undefined ? {} : { loops: report.loops.map((loop) => ({ ...loop })) }),
    },
    ...(report.runId === undefined ? {} : { runId: report.runId }),
    intentId: intent.id,
  });
}

const RESULTS: Partial<Record<IntentReport["state"], "applied" | "refused">> = {
  verified: "applied",
  rejected: "refused",
  cancelled: "refused",
};

function statesBefore(state: Intent["state"]): readonly string[] {
  return INTENT_STATES.filter((from) => mayBecome(from, state));
}

function actorOf(claimant: Claimant) {
  return { kind: "controller", id: claimant.identity, name: claimant.identity } as const;
}

import {
  INTENT_STATES,
  type Intent,
  isFinal,
  mayBecome,
} from "@cloudwright/core/model/actions/intent";
import { KEPT_RESULTS } from "@cloudwright/core/model/actions/intent-result";
import { englishOf } from "@cloudwright/core/model/language/text";
import type { Claimant, IntentReport } from "@cloudwright/core/reconcile/ports";
import { insertAuditEntry } from "../audit/audit-insert.ts";
import type { Database } from "../database/database.ts";
import type { Prisma, Intent as StoredIntent } from "../generated/client.ts";
import { claimRow, expireRows, hasAny, reportRow } from "../sql/intents.ts";
import { objectOfIntent, parseIntent } from "./stored-intent.ts";

/**
 * Returns the intents of a cluster that a leader may work on, oldest first, after ending overdue ones as *expired*. The database's clock
 * decides, as it is the one that all processes share.
 */
export async function openIntents(db: Database, cluster: string): Promise<readonly Intent[]> {
  if (!(await hasAny(db, cluster, UNENDED))) return [];
  await expireOverdue(db, cluster);
  const rows = await db.prisma.intent.findMany({
    where: { clusterId: cluster, state: { in: ["requested", "claimed", "running"] } },
    orderBy: [{ requestedAt: "asc" }, { id: "asc" }],
  });
  return rows.flatMap(knownIntent);
}

/**
 * Drops an action that only a newer release knows, so that it does not hold back the others. Nobody claims it here; if no newer leader
 * does, it ends as *expired*, with that explanation.
 */
function knownIntent(row: StoredIntent): readonly Intent[] {
  const intent = parseIntent(row);
  return intent === undefined ? [] : [intent];
}

/** Returns true when the claimant has the intent now. A claim of an older lease term gives way, one of a newer term stands. */
export function claimIntent(db: Database, intent: Intent, claimant: Claimant): Promise<boolean> {
  return db.prisma.$transaction(async (tx) => {
    const from = statesBefore("claimed");
    if (!(await claimRow(tx, intent.id, { from, by: claimant }))) return false;
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

/** Returns false when the intent no longer belongs to the claimant, or its state does not allow the reported one. */
export function reportIntent(db: Database, input: ReportInput): Promise<boolean> {
  const { intent, claimant, report } = input;
  return db.prisma.$transaction(async (tx) => {
    const from = statesBefore(report.state);
    if (!(await reportRow(tx, intent.id, { from, by: claimant, report }))) return false;
    if (isFinal(report.state)) await recordEnd(tx, input);
    return true;
  });
}

async function expireOverdue(db: Database, cluster: string): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const from = statesBefore("expired");
    const overdue = await expireRows(tx, cluster, { from, results: expiredResults() });
    const rows = await tx.intent.findMany({ where: { id: { in: [...overdue] } } });
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

function expiredResults() {
  const { notApproved, notFinished } = KEPT_RESULTS;
  return { notApproved: englishOf(notApproved), notFinished: englishOf(notFinished) };
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
      // The sentences give the reasons.
      ...(report.loops === undefined
        ? {}
        : { loops: report.loops.map(({ reason: _, ...loop }) => loop) }),
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

const UNENDED = INTENT_STATES.filter((state) => !isFinal(state));

function statesBefore(state: Intent["state"]): readonly Intent["state"][] {
  return INTENT_STATES.filter((from) => mayBecome(from, state));
}

function actorOf(claimant: Claimant) {
  return { kind: "controller", id: claimant.identity, name: claimant.identity } as const;
}

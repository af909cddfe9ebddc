import type { Intent } from "@cloudwright/core/model/intent";
import { changeSchema, notTakenSchema } from "@cloudwright/core/model/plan";
import { type RunEnd, runEndSchema } from "@cloudwright/core/model/run";
import { uuidV7Time } from "@cloudwright/core/model/values/ids";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { intentById } from "../../intents/intents.ts";
import { isOperationError, OperationError } from "../../operations/errors.ts";
import { readJson } from "../../sql/stored-json.ts";
import { isUuid } from "../../sql/uuid.ts";
import type { RunDetail, RunRow } from "../../views/views.ts";
import { RUN_COLUMNS, runRow, type StoredRun } from "./runs.ts";

export interface RunDetailInput {
  readonly cluster: string;
  readonly id: string;
}

/**
 * One run, its neighbours of the same object and the intent that asked for it. For a run that was folded away, the one that
 * stands for it. Throws OperationError NotFound.
 */
export async function runDetail(db: Database, input: RunDetailInput): Promise<RunDetail> {
  const stored = isUuid(input.id) ? await readRun(db, input) : undefined;
  if (stored === undefined) {
    throw new OperationError("NotFound", "No such run in this cluster; old runs are removed.");
  }
  const [previousId, nextId, intent] = await Promise.all([
    neighbour(db, stored, "previous"),
    neighbour(db, stored, "next"),
    intentOf(db, stored),
  ]);
  return {
    row: runRow(stored),
    end: runEnd(stored),
    changes: readJson(z.array(changeSchema), stored.changes, []),
    notTaken: readJson(z.array(notTakenSchema), stored.not_taken, []),
    instance: stored.instance,
    previousId,
    nextId,
    intent,
  };
}

/** The run alone, or the one that it was folded into; undefined when the cluster has none of this id. */
export async function runRowById(db: Database, input: RunDetailInput): Promise<RunRow | undefined> {
  const stored = isUuid(input.id) ? await readRun(db, input) : undefined;
  return stored === undefined ? undefined : runRow(stored);
}

interface StoredRunDetail extends StoredRun {
  readonly cluster_id: string;
  readonly instance: string;
  readonly intent_id: string | null;
  readonly next: unknown;
  readonly plan_ms: number | null;
  readonly applied: number | null;
  readonly changes: unknown;
  readonly not_taken: unknown;
  readonly steps: unknown;
}

async function readRun(db: Database, input: RunDetailInput): Promise<StoredRunDetail | undefined> {
  return (await findRun(db, input, ITSELF)) ?? (await findRun(db, input, FOLDED_INTO));
}

/** When a run started follows from its id, and the start names the partition. */
const ITSELF = "started_at = to_timestamp($3::float8 / 1000) AND id = $1";
const FOLDED_INTO = `started_at >= to_timestamp($3::float8 / 1000)
   AND started_at < to_timestamp($3::float8 / 1000) + interval '1 hour' AND folded > 1 AND $1 = ANY(folded_ids)`;

async function findRun(
  db: Database,
  { cluster, id }: RunDetailInput,
  condition: string,
): Promise<StoredRunDetail | undefined> {
  const result = await db.pool.query<StoredRunDetail>(
    `SELECT ${RUN_COLUMNS}, cluster_id, instance, intent_id, next, plan_ms, applied, changes, not_taken, steps
       FROM runs WHERE cluster_id = $2 AND ${condition}`,
    [id, cluster, uuidV7Time(id)],
  );
  return result.rows[0];
}

async function neighbour(
  db: Database,
  run: StoredRunDetail,
  side: "previous" | "next",
): Promise<string | undefined> {
  const [comparison, direction] = side === "previous" ? ["<", "DESC"] : [">", "ASC"];
  const result = await db.pool.query<{ id: string }>(
    `SELECT id FROM runs
      WHERE cluster_id = $1 AND object_name = $2 AND object_namespace = $3 AND object_kind = $4
        AND (started_at, id) ${comparison} ($5, $6)
      ORDER BY started_at ${direction}, id ${direction} LIMIT 1`,
    [
      run.cluster_id,
      run.object_name,
      run.object_namespace,
      run.object_kind,
      run.started_at,
      run.id,
    ],
  );
  return result.rows[0]?.id;
}

async function intentOf(db: Database, run: StoredRunDetail): Promise<Intent | undefined> {
  if (run.intent_id === null) return undefined;
  try {
    return await intentById(db, { cluster: run.cluster_id, id: run.intent_id });
  } catch (error) {
    // A run may outlive the intent that asked for it.
    if (isOperationError(error) && error.code === "NotFound") return undefined;
    throw error;
  }
}

function runEnd(run: StoredRunDetail): RunEnd | undefined {
  if (run.outcome === "running" || run.outcome === "interrupted") return undefined;
  const row = runRow(run);
  return readJson(
    runEndSchema,
    {
      type: "run.end",
      id: run.id,
      cluster: run.cluster_id,
      instance: run.instance,
      controller: run.controller,
      object: row.object,
      trigger: run.trigger,
      attempt: run.attempt,
      startedAt: row.startedAt,
      queuedMs: run.queued_ms,
      dryRun: run.dry_run,
      changes: run.changes,
      notTaken: run.not_taken,
      durationMs: run.duration_ms,
      planMs: run.plan_ms,
      outcome: run.outcome,
      reason: run.reason,
      next: run.next,
      applied: run.applied,
      steps: run.steps,
    },
    undefined,
  );
}

import { outcomeSchema, triggerSchema } from "@cloudwright/core/model/run";
import type pg from "pg";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { type KeysetQuery, keysetPage, sqlConditions } from "../../sql/keyset.ts";
import { orUndefined, readJson, readReason, readTime } from "../../sql/stored-json.ts";
import type { ListInput, Page, RunRow, RunsFilter } from "../../views/views.ts";
import { addRunsFilter } from "./runs-filter.ts";

export const RUN_SORTS = ["started"] as const;
export type RunSort = (typeof RUN_SORTS)[number];

/** Runs of a cluster by their start. Throws OperationError Invalid for a bad limit or cursor. */
export async function listRuns(
  db: Database,
  input: ListInput<RunsFilter, RunSort>,
): Promise<Page<RunRow>> {
  return keysetPage(runsQuery(db.pool, input));
}

/** Exported for the test that asks the database how it would run it. */
export function runsQuery(
  pool: pg.Pool,
  input: ListInput<RunsFilter, RunSort>,
): KeysetQuery<StoredRun, RunRow> {
  const where = sqlConditions();
  where.texts.push(`cluster_id = ${where.bind(input.cluster)}`);
  addRunsFilter(where, input.filter);
  return {
    pool,
    table: "runs",
    columns: RUN_COLUMNS,
    where,
    order: [
      { expression: "started_at", type: "timestamp", value: (row) => row.started_at.getTime() },
      { expression: "id", type: "uuid", value: (row) => row.id },
    ],
    descending: input.sort.descending,
    binding: { list: "runs", cluster: input.cluster, filter: input.filter, sort: input.sort },
    cursor: input.cursor,
    limit: input.limit,
    view: runRow,
  };
}

export const RUN_COLUMNS =
  "id, controller, object_kind, object_namespace, object_name, object_uid, trigger, attempt, outcome, reason, started_at, queued_ms, duration_ms, cloud_calls, kube_calls, change_count, dry_run, folded, folded_from, folded_max_ms";

/** The columns of a run's row as the driver answers them. */
export interface StoredRun {
  readonly id: string;
  readonly controller: string;
  readonly object_kind: string;
  readonly object_namespace: string;
  readonly object_name: string;
  readonly object_uid: string | null;
  readonly trigger: unknown;
  readonly attempt: number;
  readonly outcome: string;
  readonly reason: unknown;
  readonly started_at: Date;
  readonly queued_ms: number;
  readonly duration_ms: number | null;
  readonly cloud_calls: number;
  readonly kube_calls: number;
  readonly change_count: number;
  readonly dry_run: boolean;
  readonly folded: number | null;
  readonly folded_from: Date | null;
  readonly folded_max_ms: number | null;
}

export function runRow(row: StoredRun): RunRow {
  return {
    id: row.id,
    controller: row.controller,
    object: {
      kind: row.object_kind,
      namespace: row.object_namespace === "" ? undefined : row.object_namespace,
      name: row.object_name,
      uid: orUndefined(row.object_uid),
    },
    trigger: readJson(triggerSchema, row.trigger, { kind: "period" }),
    attempt: row.attempt,
    outcome: readJson(OUTCOME, row.outcome, "failed"),
    reason: row.reason === null ? undefined : readReason(row.reason),
    startedAt: row.started_at.getTime(),
    queuedMs: row.queued_ms,
    durationMs: orUndefined(row.duration_ms),
    cloudCalls: row.cloud_calls,
    kubeCalls: row.kube_calls,
    changes: row.change_count,
    dryRun: row.dry_run,
    folded: row.folded ?? 1,
    foldedFrom: readTime(row.folded_from),
    foldedMaxMs: orUndefined(row.folded_max_ms),
  };
}

const OUTCOME = z.union([outcomeSchema, z.literal("running")]);

import { OUTCOMES, outcomeSchema, triggerSchema } from "@cloudwright/core/model/run";
import { uuidV7Time } from "@cloudwright/core/model/values/ids";
import type pg from "pg";
import { z } from "zod";
import { requestKey } from "../ledger/request-keys.ts";
import type { RunRow, RunsFilter } from "../views/views.ts";
import {
  anyOf,
  type Bind,
  equals,
  type Filters,
  from,
  matchesObject,
  selected,
  until,
} from "./conditions.ts";
import type { List } from "./list.ts";
import { orUndefined, readJson, readReason, readTime } from "./stored-json.ts";

/* A partitioned table whose rows are found by indexes over several columns, and by paths into their JSON. */

export const RUN_SORTS = ["started"] as const;
export type RunSort = (typeof RUN_SORTS)[number];

/**
 * The condition that a row of `runs` has a request whose id begins so, in any case. The index knows the first characters
 * alone, so that it stays small; what it finds is compared with the ids themselves.
 */
export function hasRequest(id: string, bind: Bind): string {
  const key = bind([requestKey(id)]);
  const start = bind(id.toLowerCase());
  return `(request_keys <> '{}' AND request_keys @> ${key}::text[] AND EXISTS (
    SELECT FROM jsonb_path_query(jsonb_build_array(steps, reason, next), '$.**.requestId') AS request(id)
     WHERE starts_with(lower(request.id #>> '{}'), ${start}::text)))`;
}

const SELECTIONS: Filters<NonNullable<RunsFilter["not"]>> = {
  controller: equals("controller"),
  reason: equals("reason_code"),
  outcomes: anyOf("outcome"),
  triggers: anyOf("trigger_kind"),
  key: matchesObject,
  kind: equals("object_kind"),
  minCalls: (calls, bind) => `cloud_calls + kube_calls >= ${bind(calls)}::int`,
  operation: (operation, bind) => `steps @> ${bind(JSON.stringify([{ operation }]))}::jsonb`,
  requestId: hasRequest,
};

/** Leaves out what a filter selects, one member at a time. Of a closed set the rest is selected, as an index answers that. */
function leaveOut(
  { outcomes, triggers, ...others }: NonNullable<RunsFilter["not"]>,
  bind: Bind,
): string | undefined {
  const rest = {
    outcomes: outcomes && ALL_OUTCOMES.filter((one) => !outcomes.includes(one)),
    triggers: triggers && TRIGGERS.filter((one) => !triggers.includes(one)),
  };
  const texts = [
    ...selected(SELECTIONS, rest, bind),
    ...selected(SELECTIONS, others, bind).map((text) => `(${text}) IS NOT TRUE`),
  ];
  return texts.length === 0 ? undefined : texts.join(" AND ");
}

const ALL_OUTCOMES: NonNullable<RunsFilter["outcomes"]> = [...OUTCOMES, "running"];
const TRIGGERS: NonNullable<RunsFilter["triggers"]> = triggerSchema.options.map(
  (option) => option.unwrap().shape.kind.value,
);

const COLUMNS =
  "id, controller, object_kind, object_namespace, object_name, object_uid, trigger, attempt, outcome, reason, started_at, queued_ms, duration_ms, cloud_calls, kube_calls, change_count, dry_run, folded, folded_from, folded_max_ms";

/** Runs by their start. */
export const RUNS: List<StoredRun, RunRow, RunsFilter, RunSort> = {
  ...{ name: "runs", table: "runs", scope: "cluster_id", columns: COLUMNS },
  filters: { from: from("started_at"), to: until("started_at"), ...SELECTIONS, not: leaveOut },
  orders: {
    started: [
      { expression: "started_at", type: "timestamp", value: (row) => row.started_at.getTime() },
      { expression: "id", type: "uuid", value: (row) => row.id },
    ],
  },
  view: runRow,
};

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

export interface StoredRunDetail extends StoredRun {
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

/** The run of a UUID, or the one that it was folded into. */
export async function findRun(
  pool: pg.Pool,
  run: { readonly cluster: string; readonly id: string },
): Promise<StoredRunDetail | undefined> {
  return (await findBy(pool, run, ITSELF)) ?? (await findBy(pool, run, FOLDED_INTO));
}

/** When a run started follows from its id, and the start names the partition. */
const ITSELF = "started_at = to_timestamp($3::float8 / 1000) AND id = $1";
const FOLDED_INTO = `started_at >= to_timestamp($3::float8 / 1000)
   AND started_at < to_timestamp($3::float8 / 1000) + interval '1 hour' AND folded > 1 AND $1 = ANY(folded_ids)`;

async function findBy(
  pool: pg.Pool,
  { cluster, id }: { readonly cluster: string; readonly id: string },
  condition: string,
): Promise<StoredRunDetail | undefined> {
  const { rows } = await pool.query<StoredRunDetail>(
    `SELECT ${COLUMNS}, cluster_id, instance, intent_id, next, plan_ms, applied, changes, not_taken, steps
       FROM runs WHERE cluster_id = $2 AND ${condition}`,
    [id, cluster, uuidV7Time(id)],
  );
  return rows[0];
}

/** The id of the run of the same object that came before or after it. */
export async function neighbourOf(
  pool: pg.Pool,
  run: StoredRunDetail,
  side: "previous" | "next",
): Promise<string | undefined> {
  const [comparison, direction] = side === "previous" ? ["<", "DESC"] : [">", "ASC"];
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM runs
      WHERE cluster_id = $1 AND object_name = $2 AND object_namespace = $3 AND object_kind = $4
        AND (started_at, id) ${comparison} ($5, $6)
      ORDER BY started_at ${direction}, id ${direction} LIMIT 1`,
    [
      ...[run.cluster_id, run.object_name, run.object_namespace, run.object_kind],
      ...[run.started_at, run.id],
    ],
  );
  return rows[0]?.id;
}

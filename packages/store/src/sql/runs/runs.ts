import { OUTCOMES, outcomeSchema, triggerSchema } from "@cloudwright/core/model/run";
import { uuidV7Time } from "@cloudwright/core/model/values/ids";
import type pg from "pg";
import { z } from "zod";
import { requestKey } from "../../ledger/request-keys.ts";
import type { RunRow, RunsFilter } from "../../views/views.ts";
import {
  anyOf,
  type Bind,
  equals,
  type Filters,
  from,
  matchesObject,
  selected,
  until,
} from "../lists/conditions.ts";
import type { List } from "../lists/list.ts";
import {
  asIs,
  asJson,
  asNumber,
  asText,
  asTime,
  OBJECT_COLUMNS,
  orUndefined,
  readReason,
  readTime,
  type StoredRow,
  storedColumns,
  storedObject,
} from "../stored-json.ts";

/* By hand: a partitioned table whose rows are found by indexes over several columns, and by paths into their JSON. */

const RUN_SORTS = ["started"] as const;
export type RunSort = (typeof RUN_SORTS)[number];

/**
 * Returns the condition that a run has a request whose id begins with this text, in any case. The index holds only the first characters, to
 * stay small; its matches are compared with the full ids.
 */
export function hasRequest(id: string, bind: Bind): string {
  const key = bind([requestKey(id)]);
  const start = bind(id.toLowerCase());
  return `(request_keys <> '{}' AND request_keys @> ${key}::text[] AND EXISTS (
    SELECT FROM jsonb_path_query(jsonb_build_array(steps, reason, next), '$.**.requestId') AS request(id)
     WHERE starts_with(lower(request.id #>> '{}'), ${start}::text)))`;
}

/** Returns which of these clusters have a run with a request whose id begins with this text. */
export async function clustersWithRequest(
  pool: pg.Pool,
  id: string,
  clusters: readonly string[],
): Promise<readonly string[]> {
  const values: unknown[] = [clusters];
  const found = hasRequest(id, (value) => `$${values.push(value)}`);
  const { rows } = await pool.query<{ cluster: string }>(
    `SELECT DISTINCT cluster_id AS cluster FROM runs WHERE cluster_id = ANY($1::text[]) AND ${found}`,
    values,
  );
  return rows.map(({ cluster }) => cluster);
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

/** Leaves out what a filter selects, one member at a time. For a closed set the other values are selected, as an index can answer that. */
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
const TRIGGERS: NonNullable<RunsFilter["triggers"]> = triggerSchema.def.options.flatMap(
  (option) => option.def.innerType.shape.kind.def.values,
);

const RUN = storedColumns({
  id: asText,
  controller: asText,
  trigger: asJson(triggerSchema, { kind: "period" }),
  attempt: asNumber,
  outcome: asJson(z.union([outcomeSchema, z.literal("running")]), "failed"),
  reason: (stored: unknown) => (stored === null ? undefined : readReason(stored)),
  startedAt: asTime,
  queuedMs: asNumber,
  durationMs: orUndefined<number>,
  cloudCalls: asNumber,
  kubeCalls: asNumber,
  changeCount: asNumber,
  dryRun: asIs<boolean>,
  folded: (stored: number | null) => stored ?? 1,
  foldedFrom: readTime,
  foldedMaxMs: orUndefined<number>,
});

const COLUMNS = `${RUN.columns}, ${OBJECT_COLUMNS}`;

/** The list of runs by their start. */
export const RUNS: List<RunRow, RunsFilter, RunSort> = {
  ...{ name: "runs", table: "runs", scope: "cluster_id", columns: COLUMNS },
  filters: { from: from("started_at"), to: until("started_at"), ...SELECTIONS, not: leaveOut },
  orders: {
    started: [
      { expression: "started_at", type: "timestamp" },
      { expression: "id", type: "uuid" },
    ],
  },
  selectsFew: ({ requestId }) => requestId !== undefined,
  keysFirst: ({ key, requestId }) =>
    key?.includes("*") && requestId === undefined ? "cluster_id, started_at, id" : undefined,
  view: runRow,
};

/** The same list, each run with the ids of the runs that it stands for. */
export const RUNS_WITH_IDS: List<
  { readonly run: RunRow; readonly ids: readonly string[] },
  RunsFilter,
  RunSort
> = {
  ...RUNS,
  columns: `${COLUMNS}, folded_ids`,
  view: (row) => ({ run: runRow(row), ids: idsOfRun(row) }),
};

export function runRow(row: StoredRow): RunRow {
  const { changeCount: changes, ...run } = RUN.read(row);
  return { ...run, changes, object: storedObject(row) };
}

/** The columns that are stored as a run's record had them. */
const RECORD = storedColumns({
  id: asIs<unknown>,
  instance: asIs<unknown>,
  controller: asIs<unknown>,
  trigger: asIs<unknown>,
  attempt: asIs<unknown>,
  queuedMs: asIs<unknown>,
  dryRun: asIs<unknown>,
  changes: asIs<unknown>,
  notTaken: asIs<unknown>,
  durationMs: asIs<unknown>,
  planMs: asIs<unknown>,
  outcome: asIs<unknown>,
  reason: asIs<unknown>,
  next: asIs<unknown>,
  applied: asIs<unknown>,
  steps: asIs<unknown>,
  events: (stored: unknown) => stored ?? undefined,
});

/** Returns the record of a run's end, as far as its row has it. */
export function runRecord(row: StoredRow): object {
  const { object, startedAt } = runRow(row);
  return { ...RECORD.read(row), type: "run.end", cluster: row.cluster_id, object, startedAt };
}

/** Returns the run of a UUID, or the one it was folded into. */
export async function findRun(
  pool: pg.Pool,
  run: { readonly cluster: string; readonly id: string },
): Promise<StoredRow | undefined> {
  return (await findBy(pool, run, ITSELF)) ?? (await findBy(pool, run, FOLDED_INTO));
}

/** The id tells when a run started, and the start names the partition. */
const ITSELF = "started_at = to_timestamp($3::float8 / 1000) AND id = $1";
const FOLDED_INTO = `started_at >= to_timestamp($3::float8 / 1000)
   AND started_at < to_timestamp($3::float8 / 1000) + interval '1 hour' AND folded > 1 AND $1 = ANY(folded_ids)`;

async function findBy(
  pool: pg.Pool,
  { cluster, id }: { readonly cluster: string; readonly id: string },
  condition: string,
): Promise<StoredRow | undefined> {
  const { rows } = await pool.query<StoredRow>(
    `SELECT ${COLUMNS}, cluster_id, instance, intent_id, next, plan_ms, applied, changes, not_taken, steps,
            events, folded_ids
       FROM runs WHERE cluster_id = $2 AND ${condition}`,
    [id, cluster, uuidV7Time(id)],
  );
  return rows[0];
}

/** Returns the ids of a stored run and of those that were folded into it. */
export function idsOfRun({ id, folded_ids: folded }: StoredRow): readonly string[] {
  const others = Array.isArray(folded) ? folded.map(String) : [];
  return [...new Set([String(id), ...others])];
}

/** Returns the id of the run of the same object before or after it. */
export async function neighbourOf(
  pool: pg.Pool,
  run: StoredRow,
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

const EMITTING = storedColumns({
  id: asText,
  controller: asText,
  startedAt: asTime,
  events: asIs<unknown>,
});

/** Nobody reads the Events of more runs in one time span. */
const EMITTING_MOST = 200;

/** Returns the runs of the same object that started within a time span and emitted Events, oldest first. */
export async function eventsAround(
  pool: pg.Pool,
  run: StoredRow,
  { from: first, to: last }: { readonly from: number; readonly to: number },
) {
  const { rows } = await pool.query<StoredRow>(
    `SELECT ${EMITTING.columns} FROM runs
      WHERE cluster_id = $1 AND object_name = $2 AND object_namespace = $3 AND object_kind = $4
        AND started_at >= to_timestamp($5::float8 / 1000) AND started_at < to_timestamp($6::float8 / 1000)
        AND events <> '[]'
      ORDER BY started_at, id LIMIT ${EMITTING_MOST}`,
    [run.cluster_id, run.object_name, run.object_namespace, run.object_kind, first, last],
  );
  return rows.map(EMITTING.read);
}

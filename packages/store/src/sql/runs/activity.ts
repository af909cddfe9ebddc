import { auditActionSchema, OTHER_ACTIONS } from "@cloudwright/core/model/audit/audit";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import type pg from "pg";
import type { ClusterView } from "../../views/clusters.ts";
import type { ControllerActivity } from "../../views/controllers.ts";
import type { NodeDetail } from "../../views/node-detail.ts";
import type { ChangeNote, RunMinute } from "../../views/overview.ts";
import { actorOf, objectOf } from "../audit-entries.ts";
import { HOUR_MS, MINUTE_MS } from "../lists/part-width.ts";
import {
  asJson,
  asOptionalText,
  asText,
  asTime,
  orUndefined,
  readTime,
  type StoredRow,
  storedColumns,
} from "../stored-json.ts";
import { runsSince } from "./run-counts.ts";

/* By hand: recent activity, counted by parts of an index, by percentiles, and joined across tables. */

const SHOWN = 8;
/** One run may have several entries; the last one is enough. */
const READ = 5 * SHOWN;

/** Returns the latest changes in the cluster, one note per run. */
export async function latestChanges(
  pool: pg.Pool,
  cluster: string,
): Promise<readonly ChangeNote[]> {
  const { rows } = await pool.query<StoredRow & { readonly run_id: string | null }>(
    `SELECT entry.id, entry.at, actor_kind, actor_id, actor_name, action, object_kind, object_namespace,
            object_name, object_uid, why, run_id, node.init_ms
       FROM (SELECT * FROM audit_entries
              WHERE chain = $1 AND result = 'applied' AND action <> ALL($2::text[])
              ORDER BY seq DESC LIMIT ${READ}) AS entry
       LEFT JOIN ${nodeKind.table} AS node
         ON node.cluster_id = $1 AND entry.action = 'node.initialise'
        AND node.name = entry.object_name
      ORDER BY entry.seq DESC`,
    [cluster, OTHER_ACTIONS],
  );
  const runs = new Set<string>();
  return rows
    .filter(({ run_id }) => run_id === null || (!runs.has(run_id) && runs.add(run_id)))
    .slice(0, SHOWN)
    .map(noteView);
}

const NOTE = storedColumns({
  id: asText,
  at: asTime,
  action: asJson(auditActionSchema, "node.initialise"),
  why: asText,
  runId: asOptionalText,
  initMs: (stored: string | null) => (stored === null ? undefined : Number(stored)),
});

function noteView(row: StoredRow): ChangeNote {
  return { ...NOTE.read(row), actor: actorOf(row), object: objectOf(row) };
}

const MINUTES = 60;

const CLASSES: Readonly<Record<string, keyof Omit<RunMinute, "at">>> = {
  changed: "changed",
  waiting: "waiting",
  failed: "failed",
  timedOut: "failed",
  blocked: "failed",
  interrupted: "failed",
};

/** Returns the last hour by minutes. */
export async function runMinutes(
  pool: pg.Pool,
  cluster: string,
  now: number,
): Promise<readonly RunMinute[]> {
  const first = Math.floor(now / MINUTE_MS) - (MINUTES - 1);
  const { rows } = await pool.query<{ minute: number; outcome: string; runs: number }>(
    `SELECT floor(extract(epoch FROM at) / 60)::int AS minute, outcome, sum(runs)::int AS runs
       FROM run_counts
      WHERE cluster_id = $1 AND step = 'minute' AND outcome = ANY($2::text[])
        AND at >= to_timestamp($3::float8) AND at < to_timestamp($4::float8)
      GROUP BY 1, 2`,
    [cluster, Object.keys(CLASSES), first * 60, (first + MINUTES) * 60],
  );
  const minutes = Array.from({ length: MINUTES }, (_, index) => ({
    at: (first + index) * MINUTE_MS,
    changed: 0,
    waiting: 0,
    failed: 0,
  }));
  for (const { minute, outcome, runs } of rows) {
    const counts = minutes[minute - first];
    const kind = CLASSES[outcome];
    if (counts !== undefined && kind !== undefined) counts[kind] += runs;
  }
  return minutes;
}

/** Counts the runs of the last hour for each of these clusters that had any. `now`: the server's time. */
export async function runsOfLastHour(
  pool: pg.Pool,
  clusters: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, ClusterView["runs"]>> {
  const values: unknown[] = [];
  const runs = runsSince(now - HOUR_MS, clusters, (value) => `$${values.push(value)}`);
  const { rows } = await pool.query<ClusterView["runs"] & { readonly cluster: string }>(
    `SELECT cluster_id AS cluster, sum(runs)::int AS all,
            COALESCE(sum(runs) FILTER (WHERE outcome = 'changed'), 0)::int AS changed,
            COALESCE(sum(runs) FILTER (WHERE ${HAS_FAILED}), 0)::int AS failed
       FROM ${runs} AS lately
      GROUP BY cluster_id`,
    values,
  );
  return new Map(rows.map(({ cluster, ...counts }) => [cluster, counts]));
}

const HAS_FAILED = "outcome IN ('failed', 'timedOut', 'blocked')";

interface StoredActivity {
  readonly controller: ControllerName;
  readonly runs: number;
  readonly failed: number;
  readonly newest_at: Date | null;
}

/**
 * Returns the last hour of these controllers, even those without a run. The time of the last run is searched in the hour that the stored
 * counts name. `now`: the server's time.
 */
export async function readActivity(
  pool: pg.Pool,
  {
    cluster,
    names,
    now,
  }: {
    readonly cluster: string;
    readonly names: readonly ControllerName[];
    readonly now: number;
  },
): Promise<readonly ControllerActivity[]> {
  const values: unknown[] = [cluster, names];
  const runs = runsSince(now - HOUR_MS, [cluster], (value) => `$${values.push(value)}`);
  const { rows } = await pool.query<StoredActivity>(
    `WITH lately AS (
       SELECT controller, sum(runs)::int AS runs, COALESCE(sum(runs) FILTER (WHERE ${HAS_FAILED}), 0)::int AS failed
         FROM ${runs} AS lately
        GROUP BY controller
     ), hours AS (
       SELECT controller, max(at) AS at FROM run_counts
        WHERE cluster_id = $1 AND step = 'hour' AND runs > 0
        GROUP BY controller
     )
     SELECT controllers.controller, COALESCE(lately.runs, 0) AS runs, COALESCE(lately.failed, 0) AS failed, newest.at AS newest_at
       FROM unnest($2::text[]) WITH ORDINALITY AS controllers (controller, place)
       LEFT JOIN lately USING (controller)
       LEFT JOIN hours USING (controller)
       LEFT JOIN LATERAL (SELECT max(started_at) AS at FROM runs
                           WHERE runs.cluster_id = $1 AND runs.controller = hours.controller
                             AND runs.started_at >= hours.at AND runs.started_at < hours.at + interval '1 hour') AS newest ON true
      ORDER BY controllers.place`,
    values,
  );
  return rows.map(({ newest_at, ...counts }) => ({ ...counts, newestAt: readTime(newest_at) }));
}

/** Returns the initialisation times of the last 7 days; undefined when no node was initialised in them. */
export async function fleetInitialisation(
  pool: pg.Pool,
  cluster: string,
): Promise<NodeDetail["fleet"]> {
  const result = await pool.query<{ nodes: number; p50: number | null; p95: number | null }>(
    `SELECT count(*)::int AS nodes,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY init_ms) AS p50,
            percentile_cont(0.95) WITHIN GROUP (ORDER BY init_ms) AS p95
       FROM node_states
      WHERE cluster_id = $1 AND init_ms IS NOT NULL AND initialised_at > now() - interval '7 days'`,
    [cluster],
  );
  const row = result.rows[0];
  const p50Ms = orUndefined(row?.p50 ?? null);
  const p95Ms = orUndefined(row?.p95 ?? null);
  if (row === undefined || p50Ms === undefined || p95Ms === undefined) return undefined;
  return { p50Ms, p95Ms, nodes: row.nodes };
}

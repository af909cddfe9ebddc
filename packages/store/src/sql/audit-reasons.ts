import { saysReason } from "@cloudwright/core/model/audit/change-why";
import { type Reason, reasonSchema } from "@cloudwright/core/model/reason";
import { uuidV7Time } from "@cloudwright/core/model/values/ids";
import type pg from "pg";
import { z } from "zod";
import type { AuditRow } from "../views/views.ts";

/* By hand: reads only the reasons of many runs' changes, from the partitions that the runs' ids name. */

/**
 * Adds to each entry the reason of its change, if its run still exists. A reason is added only if its English text equals the entry's: the
 * log is authoritative, and a run could have been changed since.
 */
export async function withReasons(
  pool: pg.Pool,
  cluster: string,
  entries: readonly AuditRow[],
): Promise<readonly AuditRow[]> {
  const runs = [...new Set(entries.flatMap(runOf))];
  if (runs.length === 0) return entries;
  const reasons = await reasonsOf(pool, cluster, runs);
  return entries.map((entry) => {
    const reason = reasons.get(entry.runId ?? "")?.find((one) => saysReason(entry.why, one));
    return reason === undefined ? entry : { ...entry, reason };
  });
}

/** Returns the run's id only if it is a UUID with a time that the database can compare with others. */
function runOf({ actor, runId = "" }: AuditRow): readonly string[] {
  if (actor.kind !== "controller" || !z.uuidv7().safeParse(runId).success) return [];
  return uuidV7Time(runId) < LAST_START ? [runId] : [];
}

/** Later times have a year of more than four digits, which PostgreSQL does not parse. */
const LAST_START = Date.UTC(9_999, 0);

async function reasonsOf(
  pool: pg.Pool,
  cluster: string,
  runs: readonly string[],
): Promise<ReadonlyMap<string, readonly Reason[]>> {
  const { rows } = await pool.query<{ run: string; reasons: unknown }>(
    `SELECT id::text AS run, jsonb_path_query_array(changes, '$[*].reason') AS reasons
       FROM runs
      WHERE cluster_id = $1 AND started_at = ANY($2::timestamptz[]) AND id = ANY($3::uuid[])`,
    [cluster, [...new Set(runs.map(startOf))], runs],
  );
  return new Map(rows.map(({ run, reasons }) => [run, readReasons(reasons)]));
}

function startOf(run: string): string {
  return new Date(uuidV7Time(run)).toISOString();
}

function readReasons(stored: unknown): readonly Reason[] {
  const all = Array.isArray(stored) ? stored : [];
  return all.flatMap((one) => reasonSchema.safeParse(one).data ?? []);
}

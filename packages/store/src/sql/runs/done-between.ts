import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import type pg from "pg";
import type { TwoTimes } from "./changes.ts";

/* By hand: counts for many objects at once, by the columns that an index includes beside its key. */

/** The object whose runs are counted. */
export interface RunsOf extends ObjectRef {
  /** Only this controller's runs; by default those of all controllers. */
  readonly controller: string | undefined;
}

export interface DoneBetween {
  readonly runs: number;
  readonly cloudWrites: number;
}

/**
 * Counts what runs did to each of these objects between two times, in their order. Runs are counted in an index, and only those that
 * planned a write to the cloud are read.
 */
export async function doneBetween(
  pool: pg.Pool,
  times: TwoTimes,
  { cluster, objects }: { readonly cluster: string; readonly objects: readonly RunsOf[] },
): Promise<readonly DoneBetween[]> {
  // Two statements, which run on two CPUs: in 30 days there may be thousands of runs of each object to count.
  const half = Math.ceil(objects.length / 2);
  const halves = [objects.slice(0, half), objects.slice(half)];
  const done = halves.map((part) => doneToThese(pool, times, { cluster, objects: part }));
  return (await Promise.all(done)).flat();
}

async function doneToThese(
  pool: pg.Pool,
  { from, to }: TwoTimes,
  { cluster, objects }: { readonly cluster: string; readonly objects: readonly RunsOf[] },
): Promise<readonly DoneBetween[]> {
  if (objects.length === 0) return [];
  const { rows } = await pool.query<{ runs: number; writes: number }>(DONE, [
    ...[cluster, from, to, objects.map(({ kind }) => kind)],
    objects.map(({ namespace }) => namespace ?? ""),
    objects.map(({ name }) => name),
    objects.map(({ controller }) => controller ?? null),
  ]);
  return rows.map(({ runs, writes }) => ({ runs, cloudWrites: writes }));
}

const OF_OBJECT = `runs.cluster_id = $1 AND runs.object_name = object.name
                        AND runs.object_namespace = object.namespace AND runs.object_kind = object.kind
                        AND (object.controller IS NULL OR runs.controller = object.controller)
                        AND runs.started_at > to_timestamp($2::float8 / 1000)
                        AND runs.started_at <= to_timestamp($3::float8 / 1000) AND NOT runs.dry_run`;

/** The condition of the index. */
const WRITES_TO_CLOUD = `applied > 0 AND changes @> '[{"system": "cloud"}]'`;

const DONE = `
  SELECT done.runs, written.writes
    FROM unnest($4::text[], $5::text[], $6::text[], $7::text[]) WITH ORDINALITY
           AS object(kind, namespace, name, controller, place),
         LATERAL (SELECT COALESCE(sum(COALESCE(folded, 1)), 0)::int AS runs FROM runs WHERE ${OF_OBJECT}) AS done,
         LATERAL (SELECT count(*)::int AS writes
                    FROM runs, jsonb_array_elements(changes) WITH ORDINALITY AS planned(change, place)
                   WHERE ${OF_OBJECT} AND ${WRITES_TO_CLOUD}
                     AND planned.place <= applied AND planned.change->>'system' = 'cloud') AS written
   ORDER BY object.place`;

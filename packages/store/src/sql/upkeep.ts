import type pg from "pg";

/* Partitions, and the database's own functions. */

/** Keeps in mind for which days the table of runs has partitions, so that the database is asked once a day. */
export interface RunDays {
  /** Makes the partitions of these moments' days (UTC), where they are missing. */
  make(client: pg.Client, moments: readonly number[]): Promise<void>;
  /** Partitions may have been dropped meanwhile. */
  forget(): void;
}

export function createRunDays(): RunDays {
  const known = new Set<string>();
  return {
    async make(client, moments) {
      const missing = [...new Set(moments.map(dayOf))].filter((day) => !known.has(day));
      if (missing.length === 0) return;
      await client.query("SELECT cloudwright_make_run_days($1::date[])", [missing]);
      for (const day of missing) known.add(day);
    },
    forget: () => known.clear(),
  };
}

/** Whether a row found no partition: PostgreSQL reports it as a check violation that names no constraint. */
export function isMissingDay(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "23514") return false;
  return !("constraint" in error) || error.constraint === undefined;
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** Makes the partitions of runs for today (UTC) and the next week, so that nobody who writes has to wait for one. */
export async function makeRunDaysAhead(client: pg.Client): Promise<void> {
  await client.query(
    `SELECT cloudwright_make_run_days(array_agg((now() AT TIME ZONE 'UTC')::date + ahead))
       FROM generate_series(0, 7) AS ahead`,
  );
}

/**
 * Ends as *interrupted* the runs of processes whose spool was lost with their machine: begun ten minutes ago or more, by
 * an instance not heard for five. Should the spool come back after all, the true ends replace these.
 */
export async function interruptOrphans(client: pg.Client): Promise<void> {
  await client.query(
    `UPDATE runs
        SET outcome = 'interrupted', reason = '{"code":"RunInterrupted"}', reason_code = 'RunInterrupted'
      WHERE outcome = 'running' AND started_at < now() - interval '10 minutes'
        AND cluster_id IN (SELECT id FROM clusters)
        AND NOT EXISTS (SELECT 1 FROM controller_instances AS heard
                         WHERE heard.cluster_id = runs.cluster_id AND heard.identity = runs.instance
                           AND heard.heard_at > now() - interval '5 minutes')`,
  );
}

/** Whether the hour's upkeep is due and now this process's. */
export async function beginUpkeep(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ due: boolean }>(
    "SELECT cloudwright_begin_upkeep('55 minutes') AS due",
  );
  return rows[0]?.due === true;
}

export async function endUpkeep(client: pg.Client): Promise<void> {
  await client.query("SELECT cloudwright_end_upkeep()");
}

/**
 * The steps of an upkeep, as functions of the database that run with its owner's rights and refuse what is not old. Each answers
 * how much it did.
 */
export const UPKEEP_STEPS = {
  /** One hour's unchanged runs from before then; null when there are none. */
  foldRuns: "SELECT cloudwright_fold_runs($1) AS done",
  /** So many runs' bodies from before then; null when there are none. */
  dropBodies: "SELECT nullif(cloudwright_drop_run_bodies($1, $2), 0) AS done",
  /** Actions, gone objects, and what is as old as runs. */
  dropRows: "SELECT cloudwright_drop_old_rows($1, $2, $3) AS done",
  dropBudget: "SELECT cloudwright_drop_old_budget($1) AS done",
  /** What objects were, as old as runs; the last of each stays. */
  dropStates: "SELECT cloudwright_drop_old_states($1) AS done",
  dropIncidents: "SELECT cloudwright_drop_old_incidents($1) AS done",
  /** Of other components, as old as runs. */
  dropEvents: "SELECT cloudwright_drop_old_events($1) AS done",
  dropRunDays: "SELECT cloudwright_drop_run_days($1) AS done",
} as const;

export async function doStep(
  client: pg.Client,
  step: keyof typeof UPKEEP_STEPS,
  values: readonly (Date | number)[],
): Promise<number | undefined> {
  const { rows } = await client.query<{ done: number | null }>(UPKEEP_STEPS[step], [...values]);
  return rows[0]?.done ?? undefined;
}

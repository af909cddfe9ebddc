import type pg from "pg";

/* By hand: partitions, and the database's own functions. */

/** Caches which days have partitions in the table of runs, so that the database is asked once a day. */
export interface RunDays {
  /** Creates the missing partitions of these times' days (UTC). */
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

/** Reports whether a row had no partition: PostgreSQL raises a check violation that names no constraint. */
export function isMissingDay(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "23514") return false;
  return !("constraint" in error) || error.constraint === undefined;
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** Creates the partitions of runs for today (UTC) and the next week, so that no writer has to wait for one. */
export async function makeRunDaysAhead(client: pg.Client): Promise<void> {
  await client.query(
    `SELECT cloudwright_make_run_days(array_agg((now() AT TIME ZONE 'UTC')::date + ahead))
       FROM generate_series(0, 7) AS ahead`,
  );
}

/**
 * Ends as *interrupted* the runs of processes whose spool was lost with their machine: those that began at least ten minutes ago, of an
 * instance not heard for five. If the spool comes back after all, the true ends replace these.
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

/** Returns whether the hourly upkeep is due; then it is this process's to do. */
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
 * The steps of an upkeep, as functions of the database that run with its owner's rights and refuse to remove recent rows. Each returns how
 * much it did.
 */
export const UPKEEP_STEPS = {
  /** Folds one hour's unchanged runs from before that time; null when there are none. */
  foldRuns: "SELECT cloudwright_fold_runs($1) AS done",
  /** Drops the bodies of up to this many runs from before that time; null when there are none. */
  dropBodies: "SELECT nullif(cloudwright_drop_run_bodies($1, $2), 0) AS done",
  /** Actions, gone objects, and everything as old as dropped runs. */
  dropRows: "SELECT cloudwright_drop_old_rows($1, $2, $3) AS done",
  dropBudget: "SELECT cloudwright_drop_old_budget($1) AS done",
  /** Earlier states of objects, as old as dropped runs; the last of each stays. */
  dropStates: "SELECT cloudwright_drop_old_states($1) AS done",
  dropIncidents: "SELECT cloudwright_drop_old_incidents($1) AS done",
  /** Events of other components, as old as dropped runs. */
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

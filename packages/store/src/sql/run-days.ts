import type pg from "pg";

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

/** Whether a row found no partition: PostgreSQL tells it as a check violation that names no constraint. */
export function isMissingDay(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "23514") return false;
  return !("constraint" in error) || error.constraint === undefined;
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

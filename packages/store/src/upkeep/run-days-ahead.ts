import type pg from "pg";

/** Makes the partitions of runs for today (UTC) and the next week, so that nobody who writes has to wait for one. */
export async function makeRunDaysAhead(client: pg.Client): Promise<void> {
  await client.query(
    `SELECT cloudwright_make_run_days(array_agg((now() AT TIME ZONE 'UTC')::date + ahead))
       FROM generate_series(0, 7) AS ahead`,
  );
}

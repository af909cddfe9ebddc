import type pg from "pg";
import type { Retention } from "./retention.ts";
import { makeRunDaysAhead } from "./run-days-ahead.ts";

/** What one upkeep did. */
export interface Tidied {
  readonly droppedDays: number;
  readonly strippedRuns: number;
  readonly removedRows: number;
  readonly foldedRuns: number;
}

export interface TidyOptions {
  readonly client: pg.Client;
  readonly retention: Retention;
  readonly nowMs: number;
  /** Asked between the steps, so that an end need not wait. */
  readonly isStopping: () => boolean;
}

const BODIES_AT_ONCE = 5_000;

/**
 * Makes the next days' partitions, drops the old ones, removes what else is old, and folds unchanged runs. Each step is a
 * transaction of its own and doing it again is in order. Throws what the database says.
 */
export async function tidy(options: TidyOptions): Promise<Tidied> {
  const { client, retention, nowMs } = options;
  await makeRunDaysAhead(client);
  const foldedRuns = await repeat(options, "SELECT cloudwright_fold_runs($1) AS done", [
    new Date(nowMs - FOLD_AFTER_MS),
  ]);
  const strippedRuns = await repeat(
    options,
    "SELECT nullif(cloudwright_drop_run_bodies($1, $2), 0) AS done",
    [new Date(nowMs - retention.bodiesMs), BODIES_AT_ONCE],
  );
  const oldRows = await once(client, "SELECT cloudwright_drop_old_rows($1, $2, $3) AS done", [
    new Date(nowMs - retention.intentsMs),
    new Date(nowMs - retention.goneMs),
    new Date(nowMs - retention.runsMs),
  ]);
  const oldMinutes = await once(client, "SELECT cloudwright_drop_old_budget($1) AS done", [
    new Date(nowMs - retention.budgetMs),
  ]);
  const droppedDays = await once(client, "SELECT cloudwright_drop_run_days($1) AS done", [
    new Date(nowMs - retention.runsMs),
  ]);
  return { droppedDays, strippedRuns, removedRows: oldRows + oldMinutes, foldedRuns };
}

/** Hours are folded once they are an hour past, so that the counts of the last hour need not look into folds. */
const FOLD_AFTER_MS = 3_600_000;

async function once(
  client: pg.Client,
  statement: string,
  values: readonly unknown[],
): Promise<number> {
  return (await ask(client, statement, values)) ?? 0;
}

async function ask(
  client: pg.Client,
  statement: string,
  values: readonly unknown[],
): Promise<number | undefined> {
  const { rows } = await client.query<{ done: number | null }>(statement, [...values]);
  return rows[0]?.done ?? undefined;
}

/** Until the database answers that there is nothing more to do. */
async function repeat(
  { client, isStopping }: TidyOptions,
  statement: string,
  values: readonly unknown[],
): Promise<number> {
  let sum = 0;
  while (!isStopping()) {
    const done = await ask(client, statement, values);
    if (done === undefined) break;
    sum += done;
  }
  return sum;
}

import type pg from "pg";
import { doStep, makeRunDaysAhead, type UPKEEP_STEPS } from "../sql/upkeep.ts";
import type { Retention } from "./retention.ts";

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

type Step = keyof typeof UPKEEP_STEPS;

const BODIES_AT_ONCE = 5_000;

/**
 * Makes the next days' partitions, drops the old ones, removes what else is old, and folds unchanged runs. Each step is a
 * transaction of its own and doing it again is in order. Throws what the database says.
 */
export async function tidy(options: TidyOptions): Promise<Tidied> {
  const { client, retention, nowMs } = options;
  const once = async (step: Step, values: readonly Date[]) =>
    (await doStep(client, step, values)) ?? 0;
  await makeRunDaysAhead(client);
  const foldedRuns = await repeat(options, "foldRuns", [new Date(nowMs - FOLD_AFTER_MS)]);
  const strippedRuns = await repeat(options, "dropBodies", [
    new Date(nowMs - retention.bodiesMs),
    BODIES_AT_ONCE,
  ]);
  const oldRows = await once("dropRows", [
    new Date(nowMs - retention.intentsMs),
    new Date(nowMs - retention.goneMs),
    new Date(nowMs - retention.runsMs),
  ]);
  const oldMinutes = await once("dropBudget", [new Date(nowMs - retention.budgetMs)]);
  const droppedDays = await once("dropRunDays", [new Date(nowMs - retention.runsMs)]);
  return { droppedDays, strippedRuns, removedRows: oldRows + oldMinutes, foldedRuns };
}

/** Hours are folded once they are an hour past, so that the counts of the last hour need not look into folds. */
const FOLD_AFTER_MS = 3_600_000;

/** Until the database answers that there is nothing more to do. */
async function repeat(
  { client, isStopping }: TidyOptions,
  step: Step,
  values: readonly (Date | number)[],
): Promise<number> {
  let sum = 0;
  while (!isStopping()) {
    const done = await doStep(client, step, values);
    if (done === undefined) break;
    sum += done;
  }
  return sum;
}

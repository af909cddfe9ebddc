import type { Clock, Random } from "@cloudwright/core/model/time";
import type pg from "pg";
import { errorFields, type StoreLog } from "../database/log.ts";
import { lazyConnection } from "../ledger/connection.ts";
import {
  beginUpkeep,
  doStep,
  endUpkeep,
  makeRunDaysAhead,
  type UPKEEP_STEPS,
} from "../sql/upkeep.ts";
import type { Retention } from "./retention.ts";

export interface UpkeepOptions {
  readonly databaseUrl: string;
  /** Returns the retention for this clean-up. If it throws, the clean-up is postponed. */
  retention(): Promise<Retention>;
  readonly clock: Clock;
  /** Spreads the polls of several processes. */
  readonly random: Random;
  readonly log: StoreLog;
}

export interface Upkeep {
  /** Ends the upkeep, even during a step, which is then rolled back. */
  stop(): Promise<void>;
}

/** How often a process checks whether the hourly upkeep is due, and so how soon another one replaces one that died. */
const POLL_EVERY_MS = 600_000;
const FIRST_CHECK_MS = 30_000;

/**
 * Keeps the ledger in order while this process lives: once an hour old rows are removed, unchanged runs are folded and the next days are
 * prepared, by one of the processes that share the database. Never throws: failures are logged and retried.
 */
export function startUpkeep(options: UpkeepOptions): Upkeep {
  const { clock, random, log } = options;
  let stopping = false;
  let running: Promise<void> = Promise.resolve();
  let cancel = () => {};
  let drop = () => {};

  const preview = async (): Promise<void> => {
    const connection = lazyConnection(options.databaseUrl);
    drop = connection.drop;
    try {
      const did = await tidyIfDue(await connection.client(), options, () => stopping);
      if (did !== undefined) log.info({ ...did }, "The ledger was cleaned up");
    } catch (error) {
      if (!stopping)
        log.warn(errorFields(error), "The ledger could not be cleaned up; trying again");
    } finally {
      connection.drop();
    }
  };
  const checkLater = (delayMs: number): void => {
    cancel = clock.after(delayMs * (0.5 + random()), () => {
      running = preview().then(() => {
        if (!stopping) checkLater(POLL_EVERY_MS);
      });
    });
  };

  checkLater(FIRST_CHECK_MS);
  return {
    async stop() {
      stopping = true;
      cancel();
      drop();
      await running;
    },
  };
}

type Client = Parameters<typeof tidy>[0]["client"];

/** Returns undefined when this hour's upkeep is already done, or another process is doing it. */
export async function tidyIfDue(
  client: Client,
  { retention, clock }: Pick<UpkeepOptions, "retention" | "clock">,
  isStopping: () => boolean,
): Promise<Tidied | undefined> {
  if (!(await beginUpkeep(client))) return undefined;
  const did = await tidy({ client, retention: await retention(), nowMs: clock.now(), isStopping });
  if (isStopping()) return undefined;
  await endUpkeep(client);
  return did;
}

/** The result of one upkeep. */
interface Tidied {
  readonly droppedDays: number;
  readonly strippedRuns: number;
  readonly removedRows: number;
  readonly foldedRuns: number;
}

interface TidyOptions {
  readonly client: pg.Client;
  readonly retention: Retention;
  readonly nowMs: number;
  /** Checked between the steps, so that stopping need not wait. */
  readonly isStopping: () => boolean;
}

type Step = keyof typeof UPKEEP_STEPS;

const BODIES_AT_ONCE = 5_000;

/**
 * Creates the next days' partitions, drops the old ones, removes other old rows, and folds unchanged runs. Each step is a transaction of
 * its own and can be repeated. Throws the database's error.
 */
async function tidy(options: TidyOptions): Promise<Tidied> {
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
  const oldStates = await once("dropStates", [new Date(nowMs - retention.runsMs)]);
  const oldIncidents = await once("dropIncidents", [new Date(nowMs - retention.incidentsMs)]);
  const oldEvents = await once("dropEvents", [new Date(nowMs - retention.runsMs)]);
  const droppedDays = await once("dropRunDays", [new Date(nowMs - retention.runsMs)]);
  const removedRows = oldRows + oldMinutes + oldStates + oldIncidents + oldEvents;
  return { droppedDays, strippedRuns, removedRows, foldedRuns };
}

/** Hours are folded once they are an hour old, so that counting the last hour need not look into folded runs. */
const FOLD_AFTER_MS = 3_600_000;

/** Repeats a step until the database reports that nothing is left to do. */
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

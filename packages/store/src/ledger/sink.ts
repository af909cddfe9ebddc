import type pg from "pg";
import { entryRow } from "../audit/audit-insert.ts";
import { errorFields } from "../database/log.ts";
import {
  ADD_ENTRIES,
  INSERT_BUDGET_MINUTES,
  INSERT_GAPS,
  insertRows,
  UPSERT_CLUSTERS,
  UPSERT_INSTANCES,
  UPSERT_OBJECT_EVENTS,
  UPSERT_RUNS,
  UPSERT_SETTINGS,
  UPSERT_SHADOW_PLANS,
} from "../sql/statements.ts";
import { inTransaction } from "../sql/transaction.ts";
import { createRunDays, isMissingDay } from "../sql/upkeep.ts";
import {
  judgeByRunning,
  writeAbsences,
  writeStates,
  yieldBetween,
} from "../states/write-objects.ts";
import { type LedgerBatch, sortRecords } from "./batch.ts";
import { type Connection, kindOfFailure } from "./connection.ts";
import {
  budgetRow,
  clusterRows,
  eventRows,
  gapRow,
  instanceRow,
  settingsRow,
} from "./record-rows.ts";

export interface LedgerSink {
  /** Writes everything except records that the database will never accept. Throws while the database cannot be written. */
  write(values: readonly unknown[]): Promise<Written>;
}

export interface Written {
  readonly records: number;
  /** Why records were left out, one entry for each. */
  readonly refused: readonly string[];
}

/** Leaves out records that are invalid or rejected by the database: they must not hold up the others. */
export function ledgerSink(connection: Connection): LedgerSink {
  const days = createRunDays();
  const insert = async (batch: LedgerBatch): Promise<void> => {
    const client = await connection.client();
    await days.make(
      client,
      batch.runs.map((run) => run.started_at),
    );
    await writeBatch(client, batch);
  };
  /** A known day may have been dropped meanwhile. */
  const insertInDays = async (batch: LedgerBatch): Promise<void> => {
    try {
      await insert(batch);
    } catch (error) {
      if (!isMissingDay(error)) throw error;
      days.forget();
      await insert(batch);
    }
  };
  const write = async (values: readonly unknown[]): Promise<Written> => {
    const batch = sortRecords(values);
    try {
      await insertInDays(batch);
    } catch (error) {
      if (kindOfFailure(error) !== "record") throw error;
      return writeHalves(values, error);
    }
    return { records: values.length - batch.refused.length, refused: batch.refused };
  };
  /** Halves the batch until the one record is found that causes the error. */
  const writeHalves = async (values: readonly unknown[], error: unknown): Promise<Written> => {
    if (values.length <= 1) return { records: 0, refused: [errorFields(error).error] };
    const middle = Math.ceil(values.length / 2);
    const first = await write(values.slice(0, middle));
    const second = await write(values.slice(middle));
    return {
      records: first.records + second.records,
      refused: [...first.refused, ...second.refused],
    };
  };
  return { write };
}

/** Writes a batch in one transaction. Writing it again changes nothing. Throws the database's error. */
export async function writeBatch(client: pg.Client, batch: LedgerBatch): Promise<void> {
  await inTransaction(client, async () => {
    await insertRows(client, UPSERT_RUNS, batch.runs);
    await insertRows(client, UPSERT_SHADOW_PLANS, batch.shadowPlans);
    await yieldBetween(client, [...batch.states, ...batch.presences, ...batch.heartbeats]);
    await insertRows(client, UPSERT_CLUSTERS, clusterRows(batch.heartbeats));
    await insertRows(client, UPSERT_INSTANCES, batch.heartbeats.map(instanceRow));
    await judgeByRunning(client, batch.heartbeats);
    await writeStates(client, batch.states);
    await writeAbsences(client, batch.presences);
    await insertRows(client, UPSERT_OBJECT_EVENTS, eventRows(batch.events));
    await insertRows(client, INSERT_GAPS, batch.gaps.map(gapRow));
    await insertRows(client, UPSERT_SETTINGS, batch.settings.map(settingsRow));
    await insertRows(client, INSERT_BUDGET_MINUTES, batch.minutes.map(budgetRow));
    // Last, because other writers of audit entries wait from here until the commit.
    await insertRows(
      client,
      ADD_ENTRIES,
      batch.audits.map((entry) => entryRow(entry)),
    );
  });
}

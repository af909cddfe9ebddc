import { errorFields } from "../database/log.ts";
import { createRunDays, isMissingDay } from "../sql/upkeep.ts";
import { type LedgerBatch, sortRecords } from "./batch.ts";
import type { Connection } from "./connection.ts";
import { kindOfFailure } from "./failure.ts";
import { writeBatch } from "./write-batch.ts";

export interface LedgerSink {
  /** Writes all but what the database will never take. Throws while the database cannot be written. */
  write(values: readonly unknown[]): Promise<Written>;
}

export interface Written {
  readonly records: number;
  /** Why records were left out, one entry for each. */
  readonly refused: readonly string[];
}

/** A record that is none, or that the database rejects, is left out: it must not hold up the others. */
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
  /** A day may have been dropped since we knew of it. */
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
  /** Finds the one record that is the cause. */
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

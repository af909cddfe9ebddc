import { errorFields, type StoreLog } from "../log.ts";
import { sortRecords } from "./batch.ts";
import type { Connection } from "./connection.ts";
import { kindOfFailure } from "./failure.ts";
import { writeBatch } from "./write-batch.ts";

export interface LedgerSink {
  /** Writes all but what the database will never take. Throws while the database cannot be written. */
  write(values: readonly unknown[]): Promise<void>;
  written(): number;
  refused(): number;
}

/** A record that is none, or that the database rejects, is logged and left out: it must not hold up the others. */
export function ledgerSink(connection: Connection, log: StoreLog): LedgerSink {
  let written = 0;
  let refused = 0;
  const refuse = (reasons: readonly string[]) => {
    refused += reasons.length;
    for (const reason of reasons) log.error({ reason }, "Left a record out of the ledger");
  };
  const write = async (values: readonly unknown[]): Promise<void> => {
    const batch = sortRecords(values);
    try {
      await writeBatch(await connection.client(), batch);
    } catch (error) {
      if (kindOfFailure(error) !== "record") throw error;
      await writeHalves(values, error);
      return;
    }
    written += values.length - batch.refused.length;
    refuse(batch.refused);
  };
  /** Finds the one record that is the cause. */
  const writeHalves = async (values: readonly unknown[], error: unknown): Promise<void> => {
    if (values.length <= 1) {
      refuse([errorFields(error).error]);
      return;
    }
    const middle = Math.ceil(values.length / 2);
    await write(values.slice(0, middle));
    await write(values.slice(middle));
  };
  return { write, written: () => written, refused: () => refused };
}

import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { expect } from "vitest";
import { lazyConnection } from "../src/ledger/connection.ts";
import { ledgerSink } from "../src/ledger/sink.ts";
import { decodeLines } from "../src/spool/decode-lines.ts";
import { encodeFrame, joinBytes } from "../src/spool/frame.ts";

/**
 * Writes records as the ledger's thread does, but in this one: a thread for each test would cost more than the writes. Resolves when all
 * are stored.
 */
export async function writeRecords(
  databaseUrl: string,
  records: readonly LedgerRecord[],
): Promise<void> {
  const connection = lazyConnection(databaseUrl);
  try {
    const { values } = decodeLines(joinBytes(records.map(encodeFrame)));
    const written = await ledgerSink(connection).write(values);
    expect(written).toEqual({ records: records.length, refused: [] });
  } finally {
    connection.drop();
  }
}

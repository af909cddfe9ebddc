import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { expect, vi } from "vitest";
import { startLedgerWriter } from "../src/ledger/ledger-writer.ts";
import { openSpool } from "../src/spool/spool.ts";
import { memoryLog } from "./records.ts";
import { systemClock } from "./system-clock.ts";

/** Writes records as a controller would: through a spool into the database. Resolves when they are all there. */
export async function writeRecords(
  databaseUrl: string,
  records: readonly LedgerRecord[],
): Promise<void> {
  const dir = mkdtempSync(path.join(tmpdir(), "cloudwright-records-"));
  const spool = openSpool({ dir, maxBytes: 256 * 1024 * 1024, clock: systemClock });
  for (const record of records) spool.append(record);
  const writer = startLedgerWriter({ spool, databaseUrl, clock: systemClock, log: memoryLog() });
  await vi.waitFor(() => expect(writer.stats().written).toBe(records.length), 30_000);
  await writer.stop();
  spool.close();
  rmSync(dir, { recursive: true });
}

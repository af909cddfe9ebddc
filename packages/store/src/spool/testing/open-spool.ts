import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { onTestFinished } from "vitest";
import { systemClock } from "../../../testing/system-clock.ts";
import { contentsOf, decodeLines } from "../decode-lines.ts";
import { openSpool, type Spool, type SpoolBatch, type SpoolOptions } from "../spool.ts";

/** The folder of the test's spools. */
export let dir: string;

/** Creates the folder before each test; the returned function removes it. */
export function inNewFolder(): () => void {
  dir = mkdtempSync(path.join(tmpdir(), "cloudwright-spool-"));
  return () => rmSync(dir, { recursive: true, force: true });
}

export function open(over: Partial<SpoolOptions> = {}): Spool {
  const spool = openSpool({ dir, maxBytes: 64 * 1024 * 1024, clock: systemClock, ...over });
  onTestFinished(() => spool.close());
  return spool;
}

export function readAll(spool: Spool): LedgerRecord[] {
  const values: unknown[] = [];
  for (let batch = spool.read(10_000); batch !== undefined; batch = spool.read(10_000)) {
    values.push(...commit(spool, batch));
  }
  return values as LedgerRecord[];
}

/** Commits a batch as the writer does once the database has it; returns its records. */
export function commit(spool: Spool, batch: SpoolBatch | undefined): readonly unknown[] {
  if (batch === undefined) return [];
  const decoded = decodeLines(batch.lines);
  spool.commit(batch, contentsOf(decoded, spool.openRuns()));
  return decoded.values;
}

/** So few bytes that a batch is one record. */
export const ONE = 1;

export function segments(): string[] {
  return readdirSync(dir).filter((name) => name.endsWith(".log"));
}

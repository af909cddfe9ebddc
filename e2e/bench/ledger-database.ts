import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rowsOf } from "../harness/database.ts";
import { COMMAND, cloudwrightServing, run } from "../harness/processes.ts";

export interface LedgerDatabase {
  readonly url: string;
  /** What its server logs. */
  readonly logFile: string;
  /** Runs in it that changed something. */
  changedRuns(): Promise<number>;
  stop(): Promise<void>;
}

export interface LedgerDatabaseOptions {
  /** Whose schema it has; this checkout's by default. */
  readonly program?: string;
  /** Holds the data, which stay there when the database has stopped. A new folder by default, removed at the end. */
  readonly folder?: string;
}

/** A separate PostgreSQL for one cell, with the schema of the program that is measured. */
export async function startLedgerDatabase({
  program = COMMAND,
  folder,
}: LedgerDatabaseOptions = {}): Promise<LedgerDatabase> {
  const dir = folder ?? mkdtempSync(join(tmpdir(), "cloudwright-bench-ledger-"));
  const started = await cloudwrightServing<{ url: string }>([
    "sandbox",
    "database",
    "--data",
    join(dir, "data"),
  ]);
  const { url } = started.ready;
  await run(process.execPath, [program, "migrate", "--database-url", url]);
  return {
    url,
    logFile: join(dir, "data/cloudwright-log/postgresql.log"),
    changedRuns: async () => {
      const sql = "select count(*)::int as count from runs where outcome = 'changed'";
      const [row] = await rowsOf<{ count: number }>(url, sql);
      return row?.count ?? 0;
    },
    stop: async () => {
      await started.stop();
      if (folder === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}

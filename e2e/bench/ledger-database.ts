import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rowsOf } from "../harness/database.ts";
import { COMMAND, cloudwrightServing, run } from "../harness/processes.ts";

export interface LedgerDatabase {
  readonly url: string;
  /** The server's log. */
  readonly logFile: string;
  /** Returns the number of its runs that changed something. */
  changedRuns(): Promise<number>;
  stop(): Promise<void>;
}

export interface LedgerDatabaseOptions {
  /** The program whose schema it has; this checkout's by default. */
  readonly program?: string;
  /** Contains the data, which are kept after the database has stopped. By default a new folder that is removed at the end. */
  readonly folder?: string;
}

/** Starts a separate PostgreSQL for one cell, with the schema of the measured program. */
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

import { lazyConnection } from "../src/ledger/connection.ts";
import { DEFAULT_RETENTION, type Retention } from "../src/upkeep/retention.ts";
import { tidyIfDue } from "../src/upkeep/upkeep.ts";
import type { SuiteDatabase } from "./suite-database.ts";
import { systemClock } from "./system-clock.ts";

/** Runs the upkeep as if the last one was long ago. */
export async function tidyAtOnce(
  { db, url }: SuiteDatabase,
  retention: () => Promise<Retention> = async () => DEFAULT_RETENTION,
) {
  await db.pool.query("DELETE FROM ledger_upkeep");
  const connection = lazyConnection(url);
  try {
    const options = { retention, clock: systemClock };
    return await tidyIfDue(await connection.client(), options, () => false);
  } finally {
    connection.drop();
  }
}

/** Returns the ids of the stored runs, oldest first. */
export async function runIdsOf({ db }: SuiteDatabase): Promise<readonly string[]> {
  const rows = await db.prisma.run.findMany({ orderBy: { startedAt: "asc" } });
  return rows.map((row) => row.id);
}

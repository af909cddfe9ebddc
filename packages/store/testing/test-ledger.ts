import { type SuiteDatabase, useDatabase, useTestServer } from "./suite-database.ts";

/** Provides an empty ledger with the whole schema for each test of a file. */
export function testLedger(): SuiteDatabase {
  return useDatabase(useTestServer());
}

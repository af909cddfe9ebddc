import { type SuiteDatabase, useDatabase, useTestServer } from "./suite-database.ts";

/** For a file of tests: an empty ledger with the whole schema, another one for each test. */
export function testLedger(): SuiteDatabase {
  return useDatabase(useTestServer());
}

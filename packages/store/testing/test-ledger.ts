import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { connect, type Database } from "../src/database/database.ts";
import { startTestServer, type TestServer } from "./database-fixture.ts";
import { writeRecords } from "./write-records.ts";

export interface TestLedger {
  readonly url: string;
  readonly db: Database;
  /** Writes records as a controller does. Resolves when they are all there. */
  readonly write: (...records: readonly LedgerRecord[]) => Promise<void>;
}

/** For a file of tests: an empty ledger with the whole schema, another one for each test. */
export function testLedger(): TestLedger {
  let server: TestServer;
  let url = "";
  let db: Database;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.dispose());
  beforeEach(async () => {
    url = await server.migrated();
    const own = connect(url);
    db = own;
    return () => own.close();
  });
  return {
    get url() {
      return url;
    },
    get db() {
      return db;
    },
    write: (...records) => writeRecords(url, records),
  };
}

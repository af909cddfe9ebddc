import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { connect, type Database } from "../src/database/database.ts";
import { startTestServer, type TestServer } from "./database-fixture.ts";
import { writeRecords } from "./write-records.ts";

/** Provides the server of a file's tests. */
export function useTestServer(): Pick<TestServer, "migrated"> {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server?.dispose());
  return { migrated: () => thereNow(server).migrated() };
}

export interface SuiteDatabase {
  /** The current test's database. */
  readonly db: Database;
  readonly url: string;
  /** Writes records as a controller would. */
  write(...records: readonly LedgerRecord[]): Promise<void>;
}

/** Provides a database for each test of a suite; with records, one for all of its tests, which only read it. */
export function useDatabase(
  server: Pick<TestServer, "migrated">,
  records?: () => readonly LedgerRecord[],
): SuiteDatabase {
  let current: Database | undefined;
  const database: SuiteDatabase = {
    get db() {
      return thereNow(current);
    },
    get url() {
      return String(thereNow(current).pool.options.connectionString);
    },
    write: (...written) => writeRecords(database.url, written),
  };
  const open = async () => {
    const own = connect(await server.migrated());
    current = own;
    if (records !== undefined) await database.write(...records());
    return () => own.close();
  };
  if (records === undefined) beforeEach(open);
  else beforeAll(open);
  return database;
}

function thereNow<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error("The database is there within a test alone.");
  return part;
}

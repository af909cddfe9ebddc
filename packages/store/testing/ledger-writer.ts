import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, vi } from "vitest";
import { connect, type Database } from "../src/database/database.ts";
import { type LedgerWriter, startLedgerWriter } from "../src/ledger/ledger-writer.ts";
import { openSpool, type Spool } from "../src/spool/spool.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "./database-fixture.ts";
import { memoryLog } from "./records.ts";
import { systemClock } from "./system-clock.ts";

/** A writer with what it has logged so far. */
export type LoggingWriter = LedgerWriter & { readonly log: readonly string[] };

/** What one controller process needs to write its ledger, new for each test: a folder for its spool, and an empty database. */
export interface WriterFixture {
  readonly server: TestServer;
  readonly dir: string;
  readonly url: string;
  readonly db: Database;
  /** Opens the spool in the folder, as each successor process does. */
  open(): Spool;
  /** Starts a writer, on the test's database by default. */
  start(spool: Spool, databaseUrl?: string): LoggingWriter;
  /** Writes records with a spool and writer of their own. Resolves when all of them are in the database and the writer has stopped. */
  drain(...records: readonly LedgerRecord[]): Promise<LoggingWriter>;
}

export function useLedgerWriter(options: TestServerOptions = {}): WriterFixture {
  let server: TestServer;
  let dir = "";
  let url = "";
  let db: Database;
  beforeAll(async () => {
    server = await startTestServer(options);
  });
  afterAll(() => server.dispose());
  beforeEach(async () => {
    dir = mkdtempSync(path.join(tmpdir(), "cloudwright-ledger-"));
    url = await server.migrated();
    const own = connect(url);
    db = own;
    return async () => {
      await own.close();
      rmSync(dir, { recursive: true, force: true });
    };
  });
  const open = () => {
    const spool = openSpool({ dir, maxBytes: 256 * 1024 * 1024, clock: systemClock });
    onTestFinished(() => spool.close());
    return spool;
  };
  const start = (spool: Spool, databaseUrl = url) => {
    const log = memoryLog();
    const writer = startLedgerWriter({ spool, databaseUrl, clock: systemClock, log });
    onTestFinished(() => writer.stop());
    return { ...writer, log: log.lines };
  };
  const drain = async (...records: readonly LedgerRecord[]) => {
    const spool = open();
    const writer = start(spool);
    for (const record of records) spool.append(record);
    await vi.waitFor(() => expect(writer.stats().behindSince).toBeUndefined(), 20_000);
    await writer.stop();
    spool.close();
    return writer;
  };
  return {
    get server() {
      return server;
    },
    get dir() {
      return dir;
    },
    get url() {
      return url;
    },
    get db() {
      return db;
    },
    open,
    start,
    drain,
  };
}

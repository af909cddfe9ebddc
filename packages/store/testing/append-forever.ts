import { startLedgerWriter } from "../src/ledger/ledger-writer.ts";
import { openSpool } from "../src/spool/spool.ts";
import { auditEntry, memoryLog } from "./records.ts";
import { systemClock } from "./system-clock.ts";

/**
 * A child process for tests: appends to the spool in the folder of its first argument, drains it into the database of its second if there
 * is one, and prints each id that it appended, until it is killed.
 */
const [dir = "", databaseUrl] = process.argv.slice(2);
const spool = openSpool({
  dir,
  maxBytes: 64 * 1024 * 1024,
  clock: systemClock,
  segmentBytes: 20_000,
});
if (databaseUrl !== undefined) {
  startLedgerWriter({ spool, databaseUrl, clock: systemClock, log: memoryLog() });
}
const appendSome = () => {
  for (let index = 0; index < 20; index++) {
    const entry = auditEntry();
    spool.append(entry);
    process.send?.(entry.id);
  }
  setImmediate(appendSome);
};
appendSome();

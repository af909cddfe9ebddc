import { openSpool } from "../src/spool.ts";
import { auditEntry } from "./records.ts";
import { systemClock } from "./system-clock.ts";

/** A child for tests: appends to the spool in the folder of its argument, and says each id, until it is killed. */
const spool = openSpool({
  dir: process.argv[2] ?? "",
  maxBytes: 64 * 1024 * 1024,
  clock: systemClock,
  segmentBytes: 20_000,
});
const appendSome = () => {
  for (let index = 0; index < 20; index++) {
    const entry = auditEntry();
    spool.append(entry);
    process.send?.(entry.id);
  }
  setImmediate(appendSome);
};
appendSome();

import { insertAuditEntry } from "@cloudwright/store/audit/audit-insert";
import { refusalLog } from "@cloudwright/store/audit/refusal-log";
import { connect, type Database } from "@cloudwright/store/database/database";
import { noteOwner } from "@cloudwright/store/roles/ledger-owner";
import { environment } from "./environment.ts";
import { log } from "./log.ts";
import { processWide } from "./process-wide.ts";
import { shutdown } from "./shutdown.ts";

/**
 * A user who reads a page for a minute and then opens another one still finds a connection. On a new connection the first query of runs
 * takes about 100 ms longer: the connection is opened, and the query is planned for every day's partition.
 */
const IDLE_MS = 300_000;

/** Returns this process's only client of the ledger, created at the first use, so that a build connects to nothing. */
export function ledger(): Database {
  return processWide<Database>("ledger", () => {
    const db = connect(environment().databaseUrl, {
      idleMs: IDLE_MS,
      onIdleError: ({ message }) =>
        log.warn("An idle database connection broke", { error: message }),
    });
    const refusals = refusalLog({
      write: (entry) => insertAuditEntry(db.prisma, entry),
      onLost: (error) =>
        log.error("Refused requests were counted but not recorded", { error: String(error) }),
    });
    shutdown().signal.addEventListener("abort", () => void refusals.flush());
    noteOwner(db.pool, (note) => log.warn(note));
    return Object.assign(db, { refusals });
  });
}

import { connect, type Database } from "@cloudwright/store/database";
import { noteOwner } from "@cloudwright/store/roles/ledger-owner";
import { environment } from "./environment.ts";
import { log } from "./log.ts";
import { processWide } from "./process-wide.ts";

/** This process's one client of the ledger; made at the first use, so that a build connects to nothing. */
export function ledger(): Database {
  return processWide("ledger", () => {
    const db = connect(environment().databaseUrl, {
      onIdleError: ({ message }) =>
        log.warn("An idle database connection broke", { error: message }),
    });
    noteOwner(db.pool, (note) => log.warn(note));
    return db;
  });
}

import { connect, type Database } from "@cloudwright/store/database";
import { environment } from "./environment.ts";
import { log } from "./log.ts";

const KEY = Symbol.for("cloudwright.web.ledger");

/** This process's one client of the ledger; made at the first use, so that a build connects to nothing. */
export function ledger(): Database {
  const store: { [KEY]?: Database } = globalThis;
  store[KEY] ??= connect(environment().databaseUrl, {
    onIdleError: (error) => log.warn("An idle database connection broke", { error: error.message }),
  });
  return store[KEY];
}

import pg from "pg";
import { KEEP_ALIVE } from "../database/keep-alive.ts";

/** One connection, opened on demand and reopened after a loss. */
export interface Connection {
  /** Throws when the database cannot be reached within 5 s. */
  client(): Promise<pg.Client>;
  isOpen(): boolean;
  /** Ends the connection at once, even during a query, which then fails. */
  drop(): void;
}

/** A statement that takes longer is abandoned: the server may be unreachable without having closed the connection. */
const STATEMENT_MS = 60_000;

/** Calls `onHeard` when the connection is made, and each time the server has answered all queries. */
export function lazyConnection(
  databaseUrl: string,
  onHeard: () => void = () => undefined,
): Connection {
  let open: pg.Client | undefined;
  const forget = (client: pg.Client) => {
    if (open === client) open = undefined;
  };
  return {
    async client() {
      if (open !== undefined) return open;
      const client = new pg.Client({
        connectionString: databaseUrl,
        connectionTimeoutMillis: 5_000,
        query_timeout: STATEMENT_MS,
        ...KEEP_ALIVE,
        application_name: "cloudwright",
      });
      // After a loss between two queries the next one reconnects.
      client.on("error", () => forget(client));
      client.on("end", () => forget(client));
      client.on("drain", onHeard);
      await client.connect();
      onHeard();
      open = client;
      return client;
    },
    isOpen: () => open !== undefined,
    drop() {
      const client = open;
      open = undefined;
      client?.end().catch(() => undefined);
    },
  };
}

/**
 * The meaning of a failed write. `record`: the database will never accept one of the records. `schema`: its tables are not those of this
 * release. `login`: this login lacks a right, or the grant for its cluster. `away`: anything else; retrying may help.
 */
export type FailureKind = "record" | "schema" | "login" | "away";

/** SQLSTATE classes: 22 data exception, 23 integrity constraint violation, 54 program limit exceeded. */
const RECORD_CLASSES = ["22", "23", "54"];
/** Undefined table, column, function or schema. */
const SCHEMA_CODES = ["42P01", "42703", "42883", "3F000"];
/** Insufficient privilege, which the ledger's own functions raise too; a refused login or password. */
const LOGIN_CODES = ["42501", "28000", "28P01"];

export function kindOfFailure(error: unknown): FailureKind {
  const code = sqlState(error);
  if (code === undefined) return "away";
  if (RECORD_CLASSES.includes(code.slice(0, 2))) return "record";
  if (SCHEMA_CODES.includes(code)) return "schema";
  return LOGIN_CODES.includes(code) ? "login" : "away";
}

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" && error.code.length === 5 ? error.code : undefined;
}

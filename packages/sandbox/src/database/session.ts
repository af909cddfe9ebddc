import { Client } from "pg";
import { readPassword } from "./password.ts";

/** A server's port, and the folder with its password. */
export interface ServerAddress {
  readonly port: number;
  readonly dataDir: string;
}

/** Returns the URL of a database of the embedded server; it contains the owner's password, so protect it. */
export function databaseUrl(port: number, database: string, password: string | undefined): string {
  const secret = password === undefined ? "" : `:${password}`;
  return `postgresql://postgres${secret}@127.0.0.1:${port}/${database}`;
}

const CONNECT_WITHIN_MS = 5_000;

/** Runs one statement in the maintenance database. */
export async function ask(
  { port, dataDir }: ServerAddress,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const client = new Client({
    connectionString: databaseUrl(port, "postgres", await readPassword(dataDir)),
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  // A server that goes away between two statements is reported by the next statement; without a listener it would end us.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

import { Client } from "pg";

/** The address of a database of the embedded server. */
export function databaseUrl(port: number, database: string): string {
  return `postgresql://postgres@127.0.0.1:${port}/${database}`;
}

const CONNECT_WITHIN_MS = 5_000;

/** Runs one statement in the maintenance database. */
export async function ask(port: number, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({
    connectionString: databaseUrl(port, "postgres"),
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  // A server that goes away between two statements is reported by the statement; without a listener it would end us.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

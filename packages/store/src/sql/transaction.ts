import pg from "pg";
import { KEEP_ALIVE } from "../database/keep-alive.ts";

/* Connections without a Prisma client: the drain of the spool, migrations, roles and notifications. */

/** Does the work in one transaction, which is rolled back where it throws. For a connection that has no Prisma client. */
export async function inTransaction<Result>(
  client: pg.Client,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query("BEGIN");
  try {
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // The connection may be what failed; the server then rolls back by itself.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Whoever locks the same waits until this transaction ends. */
export async function lockUntilCommit(client: pg.Client, what: string): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [what]);
}

/** Does the work on a connection of its own, which it gets within 10 s. Throws what the database says. */
export async function withClient<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 10_000,
    ...KEEP_ALIVE,
  });
  // A connection lost between two queries is reported by the next query.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The connection gets what is notified on the channel from here on. */
export async function listenTo(client: pg.Client, channel: string): Promise<void> {
  await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
}

/**
 * Waits until no other connection has locked the same; it stays locked as long as this one lives. A machine that vanishes without
 * a word is found out by the database within half a minute.
 */
export async function lockForSession(client: pg.Client, what: string): Promise<void> {
  await client.query(
    "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4",
  );
  await client.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [what]);
}

import pg from "pg";
import { KEEP_ALIVE } from "../database/keep-alive.ts";

/* By hand: connections without a Prisma client, for the drain of the spool, migrations, roles and notifications. */

/** Does the work in one transaction, which is rolled back if it throws. For a connection without a Prisma client. */
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
    // The connection itself may have failed; then the server rolls back on its own.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Makes others that lock the same wait until this transaction ends. */
export async function lockUntilCommit(client: pg.Client, what: string): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [what]);
}

/** Does the work on a connection of its own, made within 10 s. Throws the database's error. */
export async function withClient<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 10_000,
    ...KEEP_ALIVE,
  });
  // The loss of a connection between two queries is reported by the next query.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Subscribes the connection to the channel's notifications. */
export async function listenTo(client: pg.Client, channel: string): Promise<void> {
  await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
}

/**
 * Waits until no other connection holds the same lock; then keeps it for as long as this connection lives. The database detects a machine
 * that vanishes silently within half a minute.
 */
export async function lockForSession(client: pg.Client, what: string): Promise<void> {
  await client.query(
    "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4",
  );
  await client.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [what]);
}

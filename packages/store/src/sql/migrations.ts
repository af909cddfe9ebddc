import type pg from "pg";

/* By hand: Prisma's own table of migrations, and the migrations themselves; before these there is nothing to query with a client. */

export interface RecordedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly finished: boolean;
  readonly rolledBack: boolean;
  readonly logs: string | null;
}

/** The key of Prisma's own lock for migrations. */
const PRISMA_LOCK = 72_707_369;
const LOCK_WAIT_MS = 60_000;

/** Waits up to 60 s for another migration. Throws the database's error. */
export async function lockMigrations(client: pg.Client): Promise<void> {
  await client.query(`SET lock_timeout = ${LOCK_WAIT_MS}`);
  await client.query("SELECT pg_advisory_lock($1)", [PRISMA_LOCK]);
  await client.query("SET lock_timeout = 0");
}

/** Returns the migrations that the database has had; undefined if there is no table of migrations yet. */
export async function readRecorded(
  client: pg.Client,
): Promise<readonly RecordedMigration[] | undefined> {
  const table = await client.query<{ found: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found",
  );
  if (table.rows[0]?.found !== true) return undefined;
  const rows = await client.query<RecordedMigration>(
    `SELECT migration_name AS name, checksum, logs, finished_at IS NOT NULL AS finished,
            rolled_back_at IS NOT NULL AS "rolledBack"
       FROM _prisma_migrations ORDER BY started_at`,
  );
  return rows.rows;
}

/** Returns the name of any table in the schema; undefined for an empty schema. */
export async function anyTable(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() LIMIT 1",
  );
  return rows[0]?.name;
}

export async function makeMigrationsTable(client: pg.Client): Promise<void> {
  await client.query(CREATE_TABLE);
}

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

export interface MigrationRow {
  readonly id: string;
  readonly name: string;
  readonly checksum: string;
  readonly startedAt: Date;
}

/** Runs a migration and records it, within the caller's transaction. */
export async function applyMigration(
  client: pg.Client,
  statements: string,
  { id, name, checksum, startedAt }: MigrationRow,
): Promise<void> {
  await client.query(statements);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`,
    [id, checksum, name, startedAt],
  );
}

/** Records the failure as Prisma does, so that both refuse to continue until somebody has looked. */
export async function recordFailedMigration(
  client: pg.Client,
  { id, name, checksum, startedAt }: MigrationRow,
  logs: unknown,
): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, logs)
     VALUES ($1, $2, $3, $4, $5)`,
    [id, checksum, name, startedAt, logs],
  );
}

import { createHash, randomUUID } from "node:crypto";
import pg from "pg";
import { errorFields, type StoreLog } from "./log.ts";
import { type MigrationFile, readMigrations } from "./migration-files.ts";

export interface MigrateOptions {
  readonly log?: StoreLog;
  /** The folder in Prisma's layout; by default looked for beside the bundle and in the project. */
  readonly migrationsDir?: string;
}

/** The schema cannot be brought up to date; the message is one sentence with the way out. */
export class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MigrationError";
  }
}

/**
 * Applies what is missing, in order, and writes `_prisma_migrations` as Prisma does, under Prisma's advisory lock, so that
 * `prisma migrate deploy` and this can be mixed. Each migration and its row are one transaction: a death in between leaves
 * nothing. Migrations that the database has and we lack are tolerated: a newer release has migrated it. Throws
 * MigrationError for a changed checksum, a failed predecessor, a foreign database, or SQL that fails.
 */
export async function migrate(
  databaseUrl: string,
  options: MigrateOptions = {},
): Promise<{ readonly applied: readonly string[] }> {
  const migrations = readMigrations(options.migrationsDir);
  return withClient(databaseUrl, async (client) => {
    await takeLock(client);
    const recorded = await readRecorded(client);
    await refuseForeignDatabase(client, recorded);
    await client.query(CREATE_TABLE);
    const missing = missingMigrations(migrations, recorded ?? []);
    for (const migration of missing) {
      await apply(client, migration);
      options.log?.info({ migration: migration.name }, "Applied a database migration");
    }
    return { applied: missing.map((migration) => migration.name) };
  });
}

export interface SchemaState {
  /** `behind`: run `cloudwright migrate`. `newer`: a later release has migrated it, which is fine. */
  readonly kind: "current" | "behind" | "newer" | "failed";
  readonly missing: readonly string[];
}

/** How the database's schema compares with this release's, without changing anything. */
export async function schemaState(
  databaseUrl: string,
  options: Pick<MigrateOptions, "migrationsDir"> = {},
): Promise<SchemaState> {
  const names = readMigrations(options.migrationsDir).map((migration) => migration.name);
  return withClient(databaseUrl, async (client) => {
    const rows = standing((await readRecorded(client)) ?? []);
    const done = new Set(rows.filter((row) => row.finished).map((row) => row.name));
    const missing = names.filter((name) => !done.has(name));
    if (rows.some((row) => !row.finished)) return { kind: "failed", missing };
    if (missing.length > 0) return { kind: "behind", missing };
    return { kind: [...done].some((name) => !names.includes(name)) ? "newer" : "current", missing };
  });
}

/** The key of Prisma's own lock for migrations. */
const PRISMA_LOCK = 72_707_369;
const LOCK_WAIT_MS = 60_000;

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

interface RecordedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly finished: boolean;
  readonly rolledBack: boolean;
  readonly logs: string | null;
}

async function withClient<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // A connection lost between two queries is told by the next query.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function takeLock(client: pg.Client): Promise<void> {
  try {
    await client.query(`SET lock_timeout = ${LOCK_WAIT_MS}`);
    await client.query("SELECT pg_advisory_lock($1)", [PRISMA_LOCK]);
    await client.query("SET lock_timeout = 0");
  } catch (error) {
    throw new MigrationError(
      "The database could not be migrated: another migration has held the lock for 60 s. Wait for it or end its connection.",
      { cause: error },
    );
  }
}

/** Undefined where there is no table of migrations yet. */
async function readRecorded(client: pg.Client): Promise<readonly RecordedMigration[] | undefined> {
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

async function refuseForeignDatabase(
  client: pg.Client,
  recorded: readonly RecordedMigration[] | undefined,
): Promise<void> {
  if (recorded !== undefined) return;
  const found = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() LIMIT 1",
  );
  const table = found.rows[0]?.name;
  if (table === undefined) return;
  throw new MigrationError(
    `The database was left as it is: it holds tables that are not ours (such as ${table}). Give Cloudwright a database of its own.`,
  );
}

function missingMigrations(
  migrations: readonly MigrationFile[],
  recorded: readonly RecordedMigration[],
): readonly MigrationFile[] {
  const rows = standing(recorded);
  const failed = rows.find((row) => !row.finished);
  if (failed !== undefined) throw failedBefore(failed);
  const checksums = new Map(rows.map((row) => [row.name, row.checksum]));
  for (const migration of migrations) {
    const checksum = checksums.get(migration.name);
    if (checksum !== undefined && checksum !== checksumOf(migration)) throw changed(migration);
  }
  return migrations.filter((migration) => !checksums.has(migration.name));
}

function standing(recorded: readonly RecordedMigration[]): readonly RecordedMigration[] {
  return recorded.filter((row) => !row.rolledBack);
}

function failedBefore(row: RecordedMigration): MigrationError {
  const cause = row.logs?.split("\n")[0] ?? "it never finished";
  return new MigrationError(
    `The database was not migrated: migration ${row.name} has failed before (${cause}). Undo its partial changes by hand, then set its rolled_back_at in _prisma_migrations and migrate again.`,
  );
}

function changed(migration: MigrationFile): MigrationError {
  return new MigrationError(
    `The database was not migrated: migration ${migration.name} was applied with a different migration.sql than the one here. Restore the migration.sql that was released.`,
  );
}

async function apply(client: pg.Client, migration: MigrationFile): Promise<void> {
  const id = randomUUID();
  const startedAt = new Date();
  await client.query("BEGIN");
  try {
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`,
      [id, checksumOf(migration), migration.name, startedAt],
    );
    await client.query("COMMIT");
  } catch (error) {
    await recordFailure(client, { id, startedAt, migration, error });
    throw new MigrationError(
      `Migration ${migration.name} failed and left nothing behind: ${errorFields(error).error}.`,
      { cause: error },
    );
  }
}

interface Failure {
  readonly id: string;
  readonly startedAt: Date;
  readonly migration: MigrationFile;
  readonly error: unknown;
}

/** As Prisma does, so that both refuse to go on until somebody has looked. */
async function recordFailure(client: pg.Client, failure: Failure): Promise<void> {
  try {
    await client.query("ROLLBACK");
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, logs)
       VALUES ($1, $2, $3, $4, $5)`,
      [
        failure.id,
        checksumOf(failure.migration),
        failure.migration.name,
        failure.startedAt,
        errorFields(failure.error).error,
      ],
    );
  } catch {
    // The connection is gone, and the server has rolled back with it; the caller throws what failed first.
  }
}

function checksumOf(migration: MigrationFile): string {
  return createHash("sha256").update(migration.sql).digest("hex");
}

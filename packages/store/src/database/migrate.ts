import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import {
  anyTable,
  applyMigration,
  lockMigrations,
  makeMigrationsTable,
  type RecordedMigration,
  readRecorded,
  recordFailedMigration,
} from "../sql/migrations.ts";
import { inTransaction, withClient } from "../sql/transaction.ts";
import { errorFields, type StoreLog } from "./log.ts";

export interface MigrateOptions {
  readonly log?: StoreLog;
  /** The folder in Prisma's layout; by default searched beside the bundle and in the project. */
  readonly migrationsDir?: string;
}

/** Thrown when the schema cannot be brought up to date; the message is one sentence that says what to do. */
class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MigrationError";
  }
}

/**
 * Applies the missing migrations in order, and writes `_prisma_migrations` as Prisma does, under Prisma's advisory lock, so that this and
 * `prisma migrate deploy` can be mixed. Each migration and its row are one transaction: a crash in between leaves nothing. Migrations that
 * only the database has are tolerated: a newer release has migrated it. Throws MigrationError for a changed checksum, a failed predecessor,
 * a foreign database, or SQL that fails.
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
    await makeMigrationsTable(client);
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

/** Compares the database's schema with this release's, without changing anything. */
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

async function takeLock(client: pg.Client): Promise<void> {
  try {
    await lockMigrations(client);
  } catch (error) {
    throw new MigrationError(
      "The database could not be migrated: another migration has held the lock for 60 s. Wait for it or end its connection.",
      { cause: error },
    );
  }
}

async function refuseForeignDatabase(
  client: pg.Client,
  recorded: readonly RecordedMigration[] | undefined,
): Promise<void> {
  if (recorded !== undefined) return;
  const table = await anyTable(client);
  if (table === undefined) return;
  throw new MigrationError(
    `The database was left as it is: it holds tables that are not ours (such as ${table}). Give Cloudwright a separate database.`,
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
  const { name, sql } = migration;
  const row = { id: randomUUID(), name, checksum: checksumOf(migration), startedAt: new Date() };
  try {
    await inTransaction(client, () => applyMigration(client, sql, row));
  } catch (error) {
    const cause = errorFields(error).error;
    // If the connection is gone the failure cannot be recorded; the first error is the one thrown.
    await recordFailedMigration(client, row, cause).catch(() => undefined);
    throw new MigrationError(`Migration ${name} failed and left nothing behind: ${cause}.`, {
      cause: error,
    });
  }
}

function checksumOf(migration: MigrationFile): string {
  return createHash("sha256").update(migration.sql).digest("hex");
}

interface MigrationFile {
  readonly name: string;
  readonly sql: string;
}

/**
 * Returns the migrations of a folder in Prisma's layout, in order. Without a folder: `migrations` beside the running file, else
 * `prisma/migrations` of the nearest folder above it. Throws when there is none.
 */
function readMigrations(folder: string = findMigrations()): readonly MigrationFile[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => ({
      name,
      sql: readFileSync(path.join(folder, name, "migration.sql"), "utf8"),
    }));
}

function findMigrations(): string {
  const start = path.dirname(fileURLToPath(import.meta.url));
  const candidates = [path.join(start, "migrations")];
  for (let folder = start; ; folder = path.dirname(folder)) {
    candidates.push(path.join(folder, "prisma", "migrations"));
    if (folder === path.dirname(folder)) break;
  }
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found !== undefined) return found;
  throw new Error(
    "No database migrations were found next to the program: reinstall it, or name their directory.",
  );
}

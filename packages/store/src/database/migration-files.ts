import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export interface MigrationFile {
  readonly name: string;
  readonly sql: string;
}

/**
 * The migrations of a folder in Prisma's layout, in their order. Without a folder: `migrations` beside the running file,
 * else `prisma/migrations` of the nearest folder above it. Throws when there is none.
 */
export function readMigrations(folder: string = findMigrations()): readonly MigrationFile[] {
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

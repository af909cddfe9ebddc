import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const MIGRATIONS = fileURLToPath(new URL("../../../prisma/migrations", import.meta.url));

/** Copies the migrations before the one of this name into a folder, to create a ledger of that time. */
export function migrationsBefore(first: string): {
  readonly folder: string;
  remove(): void;
} {
  const folder = mkdtempSync(path.join(tmpdir(), "cloudwright-earlier-"));
  const names = readdirSync(MIGRATIONS).filter((name) => name < first);
  for (const name of names) {
    cpSync(path.join(MIGRATIONS, name), path.join(folder, name), { recursive: true });
  }
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

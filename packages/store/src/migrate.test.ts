import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startTestServer, type TestServer } from "../testing/database-fixture.ts";
import { migrate, schemaState } from "./migrate.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

const PROJECT = fileURLToPath(new URL("../../../prisma/migrations", import.meta.url));

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function migrations(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), "cloudwright-migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, sql] of Object.entries(files)) {
    mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, name, "migration.sql"), sql);
  }
  writeFileSync(path.join(folder, "migration_lock.toml"), 'provider = "postgresql"\n');
  return folder;
}

describe("the migrations", () => {
  test("make exactly what the Prisma schema says, by the word of Prisma's own engine", async () => {
    const script = fileURLToPath(new URL("../../../scripts/migration.mjs", import.meta.url));
    const env = { ...process.env, DATABASE_URL: await server.empty() };
    const { stdout } = await promisify(execFile)(process.execPath, [script, "check"], { env });
    expect(stdout).toBe("The migrations make the schema.\n");
  });
});

describe("migrate", () => {
  test("brings an empty database to the schema and does nothing the second time", async () => {
    const url = await server.empty();
    const names = readdirSync(PROJECT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);

    expect(await migrate(url)).toEqual({ applied: names });
    expect(await migrate(url)).toEqual({ applied: [] });
    expect(await schemaState(url)).toEqual({ kind: "current", missing: [] });
  });

  test("writes the row that Prisma would write", async () => {
    const url = await server.empty();
    await migrate(url);
    const [row] = await query(url, "SELECT * FROM _prisma_migrations");
    const name = String(row?.migration_name);
    const sql = readFileSync(path.join(PROJECT, name, "migration.sql"));
    expect(row).toMatchObject({
      checksum: createHash("sha256").update(sql.toString()).digest("hex"),
      logs: null,
      rolled_back_at: null,
      applied_steps_count: 1,
    });
    expect(row?.finished_at).toBeInstanceOf(Date);
    expect(String(row?.id)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("lets two at once apply each migration once", async () => {
    const url = await server.empty();
    const both = await Promise.all([migrate(url), migrate(url)]);
    const rows = await query(url, "SELECT migration_name FROM _prisma_migrations");
    expect(both.flatMap((result) => result.applied)).toHaveLength(rows.length);
  });

  test("refuses a migration whose text was changed after it was applied", async () => {
    const url = await server.empty();
    await migrate(url, { migrationsDir: migrations({ "1_a": "CREATE TABLE a ()" }) });
    const edited = migrations({ "1_a": "CREATE TABLE a (x int)", "2_b": "CREATE TABLE b ()" });
    await expect(migrate(url, { migrationsDir: edited })).rejects.toThrow(
      /migration 1_a was applied with another text/,
    );
    expect(await query(url, "SELECT to_regclass('b') AS b")).toEqual([{ b: null }]);
  });

  test("leaves nothing of a migration that fails, and refuses to go on until somebody has looked", async () => {
    const url = await server.empty();
    const migrationsDir = migrations({ "1_a": "CREATE TABLE a (); CREATE TABLE a ();" });
    await expect(migrate(url, { migrationsDir })).rejects.toThrow(
      /Migration 1_a failed and left nothing behind: relation "a" already exists/,
    );
    expect(await query(url, "SELECT to_regclass('a') AS a")).toEqual([{ a: null }]);
    expect(await schemaState(url, { migrationsDir })).toMatchObject({ kind: "failed" });
    await expect(migrate(url, { migrationsDir })).rejects.toThrow(/1_a has failed before/);

    await query(url, "UPDATE _prisma_migrations SET rolled_back_at = now()");
    const mended = migrations({ "1_a": "CREATE TABLE a ()" });
    expect(await migrate(url, { migrationsDir: mended })).toEqual({ applied: ["1_a"] });
  });

  test("tolerates a database that a newer release has migrated", async () => {
    const url = await server.empty();
    const newer = migrations({ "1_a": "CREATE TABLE a ()", "2_b": "CREATE TABLE b ()" });
    await migrate(url, { migrationsDir: newer });
    const older = migrations({ "1_a": "CREATE TABLE a ()" });
    expect(await migrate(url, { migrationsDir: older })).toEqual({ applied: [] });
    expect(await schemaState(url, { migrationsDir: older })).toMatchObject({ kind: "newer" });
  });

  test("says what is missing of a database that is behind", async () => {
    const url = await server.empty();
    const migrationsDir = migrations({ "1_a": "CREATE TABLE a ()" });
    expect(await schemaState(url, { migrationsDir })).toEqual({ kind: "behind", missing: ["1_a"] });
  });

  test("leaves a database alone that holds somebody else's tables", async () => {
    const url = await server.empty();
    await query(url, "CREATE TABLE invoices ()");
    await expect(migrate(url)).rejects.toThrow(/tables that are not ours \(such as invoices\)/);
  });
});

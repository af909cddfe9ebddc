import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { migrate, schemaState } from "./migrate.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

const PROJECT = fileURLToPath(new URL("../../../../prisma/migrations", import.meta.url));

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
  test("make exactly what the Prisma schema says, by Prisma's own engine", async () => {
    const script = fileURLToPath(new URL("../../../../scripts/migration.mjs", import.meta.url));
    const env = { ...process.env, DATABASE_URL: await server.empty() };
    const { stdout } = await promisify(execFile)(process.execPath, [script, "check"], { env });
    expect(stdout).toBe("The migrations make the schema.\n");
  });
});

/** Creates an empty database with the migrations before this one. */
async function databaseBefore(migration: string): Promise<string> {
  const url = await server.empty();
  const before = readdirSync(PROJECT)
    .filter((name) => /^\d+_/.test(name) && name < migration)
    .map((name) => [name, readFileSync(path.join(PROJECT, name, "migration.sql"), "utf8")]);
  await migrate(url, { migrationsDir: migrations(Object.fromEntries(before)) });
  return url;
}

describe("the migration that adds the end of each earlier state", () => {
  test("ends each state where the next one begins", async () => {
    const url = await databaseBefore("20261128133000");
    await query(
      url,
      `INSERT INTO state_changes (cluster_id, kind, name, at, uid, state, state_rank, reason, reason_code, drift, name_key, appeared)
       SELECT 'c-1', 'Node', name, '2026-11-01T12:00:00Z'::timestamptz + minute * interval '1 minute', '', 'ok', 5, '{}', 'InStep',
              'inStep', name, false
         FROM (VALUES ('w-1', 1), ('w-2', 2), ('w-1', 3), ('w-1', 5)) AS was(name, minute)`,
    );
    await migrate(url);
    const rows = await query(
      url,
      "SELECT name, extract(minute FROM at)::int AS at, extract(minute FROM until)::int AS until FROM state_changes ORDER BY 1, 2",
    );
    expect(rows).toEqual([
      { name: "w-1", at: 1, until: 3 },
      { name: "w-1", at: 3, until: 5 },
      { name: "w-1", at: 5, until: null },
      { name: "w-2", at: 2, until: null },
    ]);
  });
});

describe("routes of nodes from before the map had a column of its own", () => {
  test("are on it without being reported again", async () => {
    const url = await databaseBefore("20261128214000");
    const cell = (cidr: string, route?: object) => ({ cidr, verdict: "keep", route });
    const details = [
      [cell("10.0.1.0/24", { table: "rtb-a" }), cell("fd00:1::/64")],
      [cell("10.0.2.0/24")],
      [],
      [cell("10.0.3.0/24"), cell("10.0.4.0/24"), cell("10.0.5.0/24")],
    ].map((cells) => ({ kind: "routes", cells }));
    await query(
      url,
      `INSERT INTO route_states (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since,
                                 failures, drift, last_run_id, last_run_outcome, last_run_at, updated_at, search_text, detail)
       SELECT 'c-1', 'NodeRoutes', 'w-' || place, '', '[]', 'ok', 5, '{"code":"InStep"}', 'InStep', 'route', now(), 0, 'inStep', '',
              'unchanged', now(), now(), '', detail
         FROM jsonb_array_elements('${JSON.stringify(details)}') WITH ORDINALITY AS written(detail, place)`,
    );
    await migrate(url);
    const rows = await query(url, "SELECT name, map_cells FROM route_states ORDER BY name");
    expect(rows.map(({ map_cells }) => String(map_cells).split("\u001f"))).toEqual([
      ["10.0.1.0/24", "keep", "rtb-a", "fd00:1::/64", "keep", ""],
      ["10.0.2.0/24", "keep", ""],
      ["null"],
      ["null"],
    ]);
  });
});

describe("nodes from before their short reasons had a column of their own", () => {
  test("have those, and no others, without being reported again", async () => {
    const url = await databaseBefore("20261129210000");
    await query(
      url,
      `INSERT INTO node_states (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since,
                                failures, drift, last_run_id, last_run_outcome, last_run_at, updated_at, search_text, name_key)
       SELECT 'c-1', 'Node', name, '', '[]', state, 0, jsonb_build_object('code', 'Unexplained', 'message', message), '', 'node', now(), 0,
              'inStep', '', 'unchanged', now(), now(), '', name
         FROM (VALUES ('w-1', 'stuck', 'quota'), ('w-2', 'stuck', repeat('x', 5000)), ('w-3', 'ok', 'fine'))
              AS written(name, state, message)`,
    );
    await migrate(url);
    const rows = await query(
      url,
      "SELECT name, short_reason ->> 'message' AS message FROM node_states ORDER BY name",
    );
    expect(rows).toEqual([
      { name: "w-1", message: "quota" },
      { name: "w-2", message: null },
      { name: "w-3", message: null },
    ]);
  });
});

describe("runs from before the partitions", () => {
  test("are found in the days where they belong", async () => {
    const url = await databaseBefore("20261121091000");
    await query(
      url,
      `INSERT INTO runs (id, cluster_id, instance, controller, object_kind, object_name, trigger_kind, trigger, attempt,
                         outcome, started_at, queued_ms, change_count, dry_run, changes, not_taken, steps)
       SELECT gen_random_uuid(), 'c-1', 'ctl-1', 'cloud-node-controller', 'Node', 'w-' || day, 'period', '{}', 1, 'failed',
              '2026-11-01T23:59:59Z'::timestamptz + day * interval '1 day', 0, 0, false, '[]', '[]',
              CASE WHEN day = 1 THEN '[{"body": "quota"}]' ELSE '[{"status": 500}]' END::jsonb
         FROM generate_series(1, 3) AS day`,
    );
    await migrate(url);
    const rows = await query(
      url,
      "SELECT tableoid::regclass::text AS day, object_name, has_bodies FROM runs ORDER BY started_at",
    );
    expect(rows).toEqual([
      { day: "runs_20261102", object_name: "w-1", has_bodies: true },
      { day: "runs_20261103", object_name: "w-2", has_bodies: false },
      { day: "runs_20261104", object_name: "w-3", has_bodies: false },
    ]);
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
      /migration 1_a was applied with a different migration.sql/,
    );
    expect(await query(url, "SELECT to_regclass('b') AS b")).toEqual([{ b: null }]);
  });

  test("leaves nothing of a failed migration, and refuses to continue until somebody has looked", async () => {
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

  test("lists what a database that is behind is missing", async () => {
    const url = await server.empty();
    const migrationsDir = migrations({ "1_a": "CREATE TABLE a ()" });
    expect(await schemaState(url, { migrationsDir })).toEqual({ kind: "behind", missing: ["1_a"] });
  });

  test("leaves a database alone that holds other tables", async () => {
    const url = await server.empty();
    await query(url, "CREATE TABLE invoices ()");
    await expect(migrate(url)).rejects.toThrow(/tables that are not ours \(such as invoices\)/);
  });
});

/**
 * Authors and checks migrations offline, with Prisma's own schema engine as WebAssembly (development only).
 *
 *   npm run migration -- new NAME     writes prisma/migrations/<stamp>_NAME/migration.sql from the schema's difference
 *   npm run migration -- check        ends with 1 when schema and migrations say different things
 *
 * Both replay the migrations in a scratch database, so DATABASE_URL must name a server on which we may create one.
 * Triggers, functions and collations are invisible to the engine: they are written into migration.sql by hand.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const schemaPath = path.join(root, "prisma/schema.prisma");
const migrationsPath = path.join(root, "prisma/migrations");
const internalCharOid = 18;
const textOid = 25;

process.exitCode = await main(process.argv.slice(2));

async function main([command, name]) {
  const databaseUrl = process.env.DATABASE_URL;
  if (databaseUrl === undefined)
    return fail("DATABASE_URL is not set: name a server for scratch databases.");
  if (command === "check") return check(databaseUrl);
  if (command === "new" && /^[a-z0-9_]+$/.test(name ?? "")) return author(databaseUrl, name);
  return fail(
    "Usage: migration.mjs new NAME | migration.mjs check (NAME: lower-case letters, digits, _).",
  );
}

async function check(databaseUrl) {
  const { exitCode, stdout } = await difference(databaseUrl);
  if (exitCode === 0) {
    console.log("The migrations make the schema.");
    return 0;
  }
  return fail(`The migrations do not make the schema. Missing:\n${stdout}`);
}

async function author(databaseUrl, name) {
  const { exitCode, stdout } = await difference(databaseUrl);
  if (exitCode === 0)
    return fail("The migrations already make the schema: there is nothing to write.");
  const stamp = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const folder = path.join(migrationsPath, `${stamp}_${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "migration.sql"), stdout);
  const lockfile = path.join(migrationsPath, "migration_lock.toml");
  if (!existsSync(lockfile)) writeFileSync(lockfile, 'provider = "postgresql"\n');
  console.log(
    `Wrote ${path.relative(root, folder)}/migration.sql. Add by hand what Prisma cannot model.`,
  );
  return 0;
}

async function difference(databaseUrl) {
  const schema = [{ path: schemaPath, content: readFileSync(schemaPath, "utf8") }];
  const factory = scratchFactory(databaseUrl);
  const engine = await startEngine(schema, factory);
  try {
    return await engine.diff({
      from: { tag: "migrations", ...migrationList() },
      to: { tag: "schemaDatamodel", files: schema },
      script: true,
      exitCode: true,
      shadowDatabaseUrl: null,
      filters: { externalTables: [], externalEnums: [] },
    });
  } finally {
    engine.free();
    await factory.dispose();
  }
}

async function startEngine(schema, factory) {
  // The engine reports a panic through this global; without it the message is lost.
  globalThis.PRISMA_WASM_PANIC_REGISTRY = {
    set_message(message) {
      console.error(message);
    },
  };
  const entry = fileURLToPath(import.meta.resolve("@prisma/schema-engine-wasm/schema_engine_bg"));
  const wasm = path.join(path.dirname(entry), "schema_engine_bg.wasm");
  const { instance } = await WebAssembly.instantiate(readFileSync(wasm), {
    "./schema_engine_bg.js": bindings,
  });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  const datamodels = schema.map((file) => [file.path, file.content]);
  return bindings.SchemaEngine.new(
    { datamodels },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(factory),
  );
}

function migrationList() {
  const names = existsSync(migrationsPath)
    ? readdirSync(migrationsPath, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
        .sort()
    : [];
  return {
    baseDir: migrationsPath,
    lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
    shadowDbInitScript: "",
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: readMigration(name) },
    })),
  };
}

function readMigration(name) {
  const file = path.join(migrationsPath, name, "migration.sql");
  return { tag: "ok", value: readFileSync(file, "utf8") };
}

/** adapter-pg's own shadow database is dropped while its pool is still open; this one is closed first. */
function scratchFactory(databaseUrl) {
  const disposals = [];
  return {
    provider: "postgres",
    adapterName: "@prisma/adapter-pg",
    connect: () => openAdapter(databaseUrl),
    async connectToShadowDb() {
      const scratch = `cloudwright_migration_${process.pid}_${Date.now()}`;
      await administer(databaseUrl, `CREATE DATABASE "${scratch}" TEMPLATE template0`);
      const url = new URL(databaseUrl);
      url.pathname = `/${scratch}`;
      const adapter = await openAdapter(url.toString());
      disposals.push(async () => {
        await adapter.underlyingDriver().end();
        await administer(databaseUrl, `DROP DATABASE IF EXISTS "${scratch}" WITH (FORCE)`);
      });
      adapter.dispose = async () => undefined;
      return adapter;
    },
    async dispose() {
      for (const disposal of disposals) await disposal();
    },
  };
}

async function openAdapter(connectionString) {
  return adapt(await new PrismaPg({ connectionString, max: 1 }).connect());
}

async function administer(connectionString, sql) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Adds what adapter-pg does not do for the schema engine: whole scripts, and PostgreSQL's internal type "char". */
function adapt(adapter) {
  adapter.executeScript = async (script) => {
    try {
      await adapter.underlyingDriver().query(script);
    } catch (error) {
      adapter.onError(error);
    }
  };
  const performIO = adapter.performIO.bind(adapter);
  let charColumns = [];
  adapter.performIO = async (query) => {
    const result = await performIO(query);
    charColumns = result.fields.map((field) => field.dataTypeID === internalCharOid);
    for (const field of result.fields) {
      if (field.dataTypeID === internalCharOid) field.dataTypeID = textOid;
    }
    return result;
  };
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    charColumns.forEach((isChar, column) => {
      if (isChar) asCharacter(result, column);
    });
    return result;
  };
  return adapter;
}

function asCharacter(result, column) {
  result.columnTypes[column] = ColumnTypeEnum.Character;
  for (const row of result.rows) {
    if (row[column] === "") row[column] = "\0";
  }
}

function fail(sentence) {
  console.error(sentence);
  return 1;
}

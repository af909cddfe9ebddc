import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startDatabase } from "@cloudwright/sandbox/database/start-database";
import pg from "pg";
import { inject } from "vitest";
import { migrate } from "../src/database/migrate.ts";

/** A real PostgreSQL: that of CLOUDWRIGHT_TEST_DATABASE_URL, else an embedded one, which the files of one run share. */
export interface TestServer {
  /** Creates a database with the whole schema; it is cloned, so this takes milliseconds. */
  migrated(): Promise<string>;
  /** Creates an empty database. */
  empty(): Promise<string>;
  /** Stops and starts the server, as in an outage. Only possible for a file's own server. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Removes the databases, and the server if it is the file's own. */
  dispose(): Promise<void>;
}

export interface TestServerOptions {
  /** For files that stop the server or create roles, which all databases of a server share. */
  readonly ownServer?: boolean;
}

/** Whether an embedded server is available for testing outages. */
export const canOwnServer = process.env.CLOUDWRIGHT_TEST_DATABASE_URL === undefined;

export async function startTestServer({
  ownServer = false,
}: TestServerOptions = {}): Promise<TestServer> {
  const given = process.env.CLOUDWRIGHT_TEST_DATABASE_URL;
  const server = given === undefined ? await embedded(ownServer) : leftAlone(given);
  // A permanent server may have the template of another release.
  const template = given === undefined ? "store_template" : nameOf("store_template");
  const made = given === undefined ? [] : [template];
  // Copying the files takes a fraction of the time of logging each page; servers before PostgreSQL 15 do not know the keyword.
  const strategy = given === undefined ? " STRATEGY FILE_COPY" : "";
  let hasTemplate: Promise<void> | undefined;
  const create = async (source: string) => {
    const name = nameOf("store");
    await execute(server.url(), `CREATE DATABASE ${name} TEMPLATE ${source}${strategy}`);
    made.push(name);
    return urlOf(server.url(), name);
  };
  return {
    async migrated() {
      hasTemplate ??= ensureTemplate(server.url(), template);
      await hasTemplate;
      return create(template);
    },
    empty: () => create("template0"),
    stop: server.stop,
    start: server.start,
    async dispose() {
      if (!server.isOwn) {
        for (const name of made) {
          await execute(server.url(), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
        }
      }
      await server.dispose();
    },
  };
}

function nameOf(what: string): string {
  return `${what}_${randomUUID().replaceAll("-", "")}`;
}

interface Server {
  readonly isOwn: boolean;
  url(): string;
  stop(): Promise<void>;
  start(): Promise<void>;
  dispose(): Promise<void>;
}

async function embedded(ownServer: boolean): Promise<Server> {
  if (ownServer) return await serverOfItsOwn();
  // The first file starts it, the others find it; it is stopped at the end of the run (shared-server.ts).
  const { url } = await startDatabase({ dataDir: inject("sharedServer"), isThrowaway: true });
  return leftAlone(url);
}

async function serverOfItsOwn(): Promise<Server> {
  const folder = await mkdtemp(path.join(tmpdir(), "cloudwright-store-"));
  const dataDir = path.join(folder, "data");
  let running = await startDatabase({ dataDir, isThrowaway: true });
  const { port } = running;
  return {
    isOwn: true,
    url: () => running.url,
    stop: () => running.stop(),
    async start() {
      running = await startDatabase({ dataDir, port, isThrowaway: true });
    },
    async dispose() {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function leftAlone(url: string): Server {
  const refuse = () => Promise.reject(new Error("A server that others use is not stopped."));
  return {
    isOwn: false,
    url: () => url,
    stop: refuse,
    start: refuse,
    dispose: () => Promise.resolve(),
  };
}

const TEMPLATE_LOCK = 4_711;

/** Creates the database with the whole schema, unless another file has. */
async function ensureTemplate(server: string, name: string): Promise<void> {
  await withClient(server, async (client) => {
    // Released with the connection.
    await client.query("SELECT pg_advisory_lock($1)", [TEMPLATE_LOCK]);
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (rowCount !== 0) return;
    const draft = `${name}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${draft} TEMPLATE template0`);
    await migrate(urlOf(server, draft));
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
  });
}

async function execute(server: string, sql: string): Promise<void> {
  await withClient(server, (client) => client.query(sql));
}

async function withClient(
  connectionString: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}

import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startDatabase } from "@cloudwright/sandbox/database/start-database";
import pg from "pg";
import { migrate } from "../src/migrate.ts";

/** A real PostgreSQL for one test file: CLOUDWRIGHT_TEST_DATABASE_URL's, or an embedded one of its own. */
export interface TestServer {
  /** A new database with the whole schema; cloned, so it takes milliseconds. */
  migrated(): Promise<string>;
  /** A new database without anything. */
  empty(): Promise<string>;
  /** Ends and starts the server, as an outage does. Only the embedded one can. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its files. */
  dispose(): Promise<void>;
}

/** Whether the server is one of ours, which outages can be tried on. */
export const ownsServer = process.env.CLOUDWRIGHT_TEST_DATABASE_URL === undefined;

export async function startTestServer(): Promise<TestServer> {
  const given = process.env.CLOUDWRIGHT_TEST_DATABASE_URL;
  const server = given === undefined ? await embeddedServer() : foreignServer(given);
  let template: Promise<string> | undefined;
  const made: string[] = [];
  const create = async (source: string) => {
    const name = `store_${randomUUID().replaceAll("-", "")}`;
    await execute(server.url(), `CREATE DATABASE ${name} TEMPLATE ${source}`);
    made.push(name);
    return urlOf(server.url(), name);
  };
  return {
    async migrated() {
      template ??= create("template0").then(async (url) => {
        await migrate(url);
        return new URL(url).pathname.slice(1);
      });
      return create(await template);
    },
    empty: () => create("template0"),
    stop: server.stop,
    start: server.start,
    async dispose() {
      if (given !== undefined) {
        for (const name of made) await execute(given, `DROP DATABASE ${name} WITH (FORCE)`);
      }
      await server.dispose();
    },
  };
}

interface Server {
  url(): string;
  stop(): Promise<void>;
  start(): Promise<void>;
  dispose(): Promise<void>;
}

async function embeddedServer(): Promise<Server> {
  const folder = await mkdtemp(path.join(tmpdir(), "cloudwright-store-"));
  const dataDir = path.join(folder, "data");
  let running = await startDatabase({ dataDir });
  const { port } = running;
  return {
    url: () => running.url,
    stop: () => running.stop(),
    async start() {
      running = await startDatabase({ dataDir, port });
    },
    async dispose() {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function foreignServer(url: string): Server {
  const refuse = () => Promise.reject(new Error("A server that is not ours is not stopped."));
  return { url: () => url, stop: refuse, start: refuse, dispose: () => Promise.resolve() };
}

async function execute(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { prepareDatabaseBinaries } from "./binaries.ts";
import { type RunningDatabase, startDatabase } from "./start-database.ts";

let folder: string;
let dataDir: string;
let started: RunningDatabase[];
let strays: number[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "database-"));
  dataDir = join(folder, "some", "parents", "database");
  started = [];
  strays = [];
});

afterEach(async () => {
  for (const pid of strays) if (await runs(pid)) process.kill(pid, "SIGQUIT");
  await Promise.all(started.map((database) => database.stop()));
  await rm(folder, { recursive: true, force: true });
});

async function start(options: { port?: number } = {}): Promise<RunningDatabase> {
  const database = await startDatabase({ dataDir, ...options });
  started.push(database);
  return database;
}

async function query(database: RunningDatabase, statement: string) {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Connects with a wrong password and without one. */
async function expectRefused(database: RunningDatabase): Promise<void> {
  const wrong = { ...database, url: changed(database.url, { password: "guessed" }) };
  await expect(query(wrong, "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
  const without = { ...database, url: changed(database.url, { password: "" }) };
  await expect(query(without, "SELECT 1")).rejects.toThrow(/password/);
}

function changed(url: string, parts: { username?: string; password?: string }): string {
  return Object.assign(new URL(url), parts).toString();
}

function rules(): Promise<string> {
  return readFile(join(dataDir, "pg_hba.conf"), "utf8");
}

/** Restores the folder's settings of releases before passwords. */
async function trustEverybody(): Promise<void> {
  await writeFile(join(dataDir, "pg_hba.conf"), "host all all 127.0.0.1/32 trust\n");
  await rm(join(dataDir, "cloudwright-password"), { force: true });
}

async function runs(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return state !== "" && !/\) Z /.test(state);
}

describe("the embedded PostgreSQL", () => {
  it("serves an empty database in UTF-8 on a fresh folder, and keeps what is written", async () => {
    const first = await start();
    expect(await query(first, "SHOW server_encoding")).toEqual([{ server_encoding: "UTF8" }]);
    expect(await query(first, "SELECT current_database()")).toEqual([
      { current_database: "cloudwright" },
    ]);
    expect(await query(first, "SHOW data_checksums")).toEqual([{ data_checksums: "on" }]);
    await query(first, "CREATE TABLE kept AS SELECT 'ä' AS value");
    await first.stop();
    await first.stop();
    expect(await runs(first.pid)).toBe(false);

    const second = await start();
    expect(await query(second, "SELECT value FROM kept")).toEqual([{ value: "ä" }]);
    expect(second.port).toBe(first.port);
  });

  it("closes its folder and its log to others, and leaves the parents open", async () => {
    const mask = process.umask(0o022);
    try {
      await start();
    } finally {
      process.umask(mask);
    }
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    const log = join(dataDir, "cloudwright-log", "postgresql.log");
    expect((await stat(log)).mode & 0o777).toBe(0o600);
    expect(await readFile(log, "utf8")).toContain("ready to accept connections");
    expect((await stat(join(folder, "some", "parents"))).mode & 0o777).toBe(0o755);
  });

  it("touches nothing beside its folder", async () => {
    const names = ["log", "log.old", "new", "lock"].map((ending) => `${dataDir}.${ending}`);
    await mkdir(join(folder, "some", "parents"), { recursive: true });
    for (const name of names) await writeFile(name, "somebody's");
    const database = await start();
    await database.stop();
    for (const name of names) expect(await readFile(name, "utf8")).toBe("somebody's");
  });

  it("listens on loopback only and makes no socket file", async () => {
    const database = await start();
    expect(await query(database, "SHOW listen_addresses")).toEqual([
      { listen_addresses: "127.0.0.1" },
    ]);
    expect(await query(database, "SHOW unix_socket_directories")).toEqual([
      { unix_socket_directories: "" },
    ]);
  });

  it("admits nobody without the password, which only its owner can read", async () => {
    const database = await start();
    expect(new URL(database.url).password).toMatch(/^[\w-]{32}$/);
    await expectRefused(database);
    expect(await rules()).not.toMatch(/trust/);
    expect((await stat(join(dataDir, "cloudwright-password"))).mode & 0o777).toBe(0o600);
    await query(database, "CREATE ROLE other LOGIN");
    const other = { ...database, url: changed(database.url, { username: "other" }) };
    await expect(query(other, "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
  });

  it("keeps the password over a restart, and has a different one in each folder", async () => {
    const first = await start();
    await first.stop();
    expect((await start()).url).toBe(first.url);
    const second = await startDatabase({ dataDir: join(folder, "second") });
    started.push(second);
    expect(new URL(second.url).password).not.toBe(new URL(first.url).password);
  });

  it("asks for a password from the next start on in an existing folder that trusted everybody", async () => {
    const first = await start();
    await query(first, "CREATE TABLE kept AS SELECT 7 AS value");
    await first.stop();
    await trustEverybody();
    const second = await start();
    await expectRefused(second);
    expect(await query(second, "SELECT value FROM kept")).toEqual([{ value: 7 }]);
    expect(await rules()).not.toMatch(/trust/);
  });

  it("asks for a password once it is adopted while it still trusts everybody", async () => {
    const first = await start();
    await trustEverybody();
    process.kill(first.pid, "SIGHUP");
    const open = { ...first, url: changed(first.url, { password: "" }) };
    await vi.waitFor(async () => expect(await query(open, "SELECT 1")).toHaveLength(1), 10_000);
    const second = await start();
    expect(second.pid).toBe(first.pid);
    expect(await query(second, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await vi.waitFor(() => expectRefused(second), 10_000);
  });

  it("is adopted by a second start", async () => {
    const first = await start();
    const second = await start();
    expect({ pid: second.pid, port: second.port }).toEqual({ pid: first.pid, port: first.port });
  });

  it("is started once by two starts at the same time", async () => {
    const [a, b] = await Promise.all([start(), start()]);
    expect(a.pid).toBe(b.pid);
  });

  it("outlives the process that started it and recovers from kill -9 with what was committed", async () => {
    const first = await start();
    await query(first, "CREATE TABLE kept AS SELECT generate_series(1, 1000) AS value");
    process.kill(first.pid, "SIGKILL");
    const second = await start();
    expect(second.pid).not.toBe(first.pid);
    expect(await query(second, "SELECT count(*)::int AS count FROM kept")).toEqual([
      { count: 1000 },
    ]);
  });

  it("starts over a pid file whose process id now belongs to another process", async () => {
    const first = await start();
    await first.stop();
    await writeFile(
      join(dataDir, "postmaster.pid"),
      `${process.pid}\n${dataDir}\n1\n${first.port}\n\n127.0.0.1\n\nready\n`,
    );
    const second = await start();
    expect(second.pid).not.toBe(process.pid);
    expect(await query(second, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("replaces what an interrupted first start left", async () => {
    await mkdir(`${dataDir}.cloudwright-new/base`, { recursive: true });
    await writeFile(`${dataDir}.cloudwright-new/PG_VERSION`, "18\n");
    const database = await start();
    expect(await query(database, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await expect(access(`${dataDir}.cloudwright-new`)).rejects.toThrow();
  });

  it("serves on the requested port, and reports when that is taken", async () => {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, "127.0.0.1", done));
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await expect(start({ port })).rejects.toThrow(/could not bind .* in use/);
    await new Promise((done) => taken.close(done));
    expect((await start({ port })).port).toBe(port);
  });

  it("does not touch a folder with something else in it", async () => {
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, "letter.txt"), "dear");
    await expect(start()).rejects.toThrow(/is not empty and holds no PostgreSQL data/);
    expect(await readFile(join(dataDir, "letter.txt"), "utf8")).toBe("dear");
  });

  it("does not touch a file in its place", async () => {
    await mkdir(join(folder, "some", "parents"), { recursive: true });
    await writeFile(dataDir, "a backup");
    await expect(start()).rejects.toThrow(
      /database is not a folder: choose another data folder\.$/,
    );
    expect(await readFile(dataDir, "utf8")).toBe("a backup");
  });

  it("does not touch data of another version", async () => {
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, "PG_VERSION"), "12\n");
    await expect(start()).rejects.toThrow(
      /was written by PostgreSQL 12, but the embedded one is \d+/,
    );
  });
});

describe("its programs", () => {
  it("can be made ready repeatedly", async () => {
    const first = await prepareDatabaseBinaries();
    expect(await prepareDatabaseBinaries()).toEqual(first);
    expect((await stat(first.postgres)).mode & 0o111).toBe(0o111);
  });
});

describe("the command", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "announces itself on stdout and ends by %s",
    async (signal) => {
      const child = startChild(["ignore", "pipe", "inherit"]);
      const ready = await firstLine(child);
      expect(ready).toEqual({
        url: expect.stringMatching(/^postgresql:/),
        port: expect.any(Number),
      });
      const { pid } = await start();
      child.kill(signal);
      expect(await once(child, "exit")).toEqual([0, null]);
      expect(await runs(pid)).toBe(false);
    },
  );

  it("leaves no PostgreSQL behind when it gets a termination signal while that is still starting", async () => {
    const child = startChild(["ignore", "pipe", "inherit"]);
    const pid = await untilLaunched();
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(await runs(pid)).toBe(false);
  });

  it("announces itself over the channel and ends with its parent", async () => {
    const child = startChild(["ignore", "inherit", "inherit", "ipc"]);
    const [ready] = await once(child, "message");
    expect(ready).toEqual({
      type: "ready",
      url: expect.stringMatching(/^postgresql:/),
      port: expect.any(Number),
    });
    const { pid } = await start();
    child.disconnect();
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(await runs(pid)).toBe(false);
  });
});

function startChild(stdio: ("ignore" | "pipe" | "inherit" | "ipc")[]): ChildProcess {
  const code = `import("${new URL("./command.ts", import.meta.url)}").then((m) => m.runDatabaseCommand({ dataDir: process.argv[1] }))`;
  return spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code, dataDir], {
    stdio,
  });
}

/** The first visible sign of a starting server is its pid file. */
async function untilLaunched(): Promise<number> {
  const pid = await vi.waitFor(
    async () => {
      const text = await readFile(join(dataDir, "postmaster.pid"), "utf8");
      return z.coerce.number().int().positive().parse(text.split("\n")[0]);
    },
    { timeout: 60_000, interval: 1 },
  );
  strays.push(pid);
  return pid;
}

async function firstLine(child: ChildProcess): Promise<unknown> {
  if (child.stdout === null) {
    throw new Error("The child has no stdout.");
  }
  for await (const line of createInterface({ input: child.stdout })) {
    return JSON.parse(line);
  }
  throw new Error("The child ended before it was ready.");
}

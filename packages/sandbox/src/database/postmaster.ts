import { readdir, readFile, readlink, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ask } from "./session.ts";

/** A PostgreSQL server that runs on a data folder. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

export interface FoundPostmaster extends Postmaster {
  /** Whether it already owns the port: before that another server may answer there. */
  readonly listening: boolean;
}

const PORT_LINE = 3;
const LISTEN_LINE = 5;

/** Returns the server of this folder, by its pid file; a pid file whose server is gone does not count. */
export async function findPostmaster(dataDir: string): Promise<FoundPostmaster | undefined> {
  const text = await readFile(pidFile(dataDir), "utf8").catch(() => "");
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  const port = Number(lines[PORT_LINE]);
  const listening = (lines[LISTEN_LINE] ?? "").trim() !== "";
  const whole = Number.isInteger(pid) && pid > 0 && Number.isInteger(port) && port > 0;
  return whole && (await serves({ pid, port }, dataDir)) ? { pid, port, listening } : undefined;
}

/**
 * Removes the pid file of a dead server. PostgreSQL itself refuses to start while the dead one is a zombie, or when its process id was
 * reused by the same user. The dead server's workers must have ended first.
 */
export async function clearStalePid(dataDir: string): Promise<void> {
  await untilNobodyWorksIn(dataDir);
  await rm(pidFile(dataDir), { force: true });
}

/** Reports whether it still has the folder. */
export async function isRunning(postmaster: Postmaster, dataDir: string): Promise<boolean> {
  return await serves(postmaster, dataDir);
}

function pidFile(dataDir: string): string {
  return join(dataDir, "postmaster.pid");
}

/** A server's working folder is its data folder. On a system that does not report it, the server itself is asked. */
async function serves({ pid, port }: Postmaster, dataDir: string): Promise<boolean> {
  if (process.platform === "linux") {
    return (await workingFolder(pid)) === (await realpath(dataDir));
  }
  const rows = await ask({ port, dataDir }, "SHOW data_directory").catch(() => []);
  const overridden = rows[0]?.data_directory;
  return (
    typeof overridden === "string" && (await realpath(overridden)) === (await realpath(dataDir))
  );
}

async function workingFolder(pid: number | string): Promise<string | undefined> {
  return await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
}

const WORKERS_END_WITHIN_MS = 30_000;
const POLL_EVERY_MS = 50;

async function untilNobodyWorksIn(dataDir: string): Promise<void> {
  if (process.platform !== "linux") {
    return;
  }
  const folder = await realpath(dataDir);
  for (let waited = 0; await somebodyWorksIn(folder); waited += POLL_EVERY_MS) {
    if (waited > WORKERS_END_WITHIN_MS) {
      throw new Error(
        `Processes of a crashed PostgreSQL still use ${dataDir}: stop them and start again.`,
      );
    }
    await wait(POLL_EVERY_MS);
  }
}

async function somebodyWorksIn(folder: string): Promise<boolean> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const postgres = await Promise.all(
    pids.map(async (pid) => (await workingFolder(pid)) === folder && (await isPostgres(pid))),
  );
  return postgres.includes(true);
}

async function isPostgres(pid: string): Promise<boolean> {
  return (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).startsWith("postgres");
}

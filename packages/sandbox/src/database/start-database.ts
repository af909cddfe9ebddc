import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { FileInUseError, lockFile, type Unlock } from "../process/file-lock.ts";
import { databaseAccount } from "./account.ts";
import { requirePasswordsWhileRunning } from "./authentication.ts";
import { binariesFor } from "./binaries.ts";
import { ensureDataFolder, placeOf } from "./data-folder.ts";
import { launch, startError } from "./launch.ts";
import { readPassword } from "./password.ts";
import { findPostmaster, isRunning, type Postmaster } from "./postmaster.ts";
import { ask, databaseUrl, type ServerAddress } from "./session.ts";

export interface DatabaseOptions {
  /** PostgreSQL's data folder; created if missing. Its log is inside, in `cloudwright-log`. */
  readonly dataDir: string;
  /** Absent or 0: the previous port if it is free, else any free one. A running server keeps its own. */
  readonly port?: number | undefined;
  /** Whether nothing is forced to disk, as nobody needs the data after the machine has stopped: for tests. */
  readonly isThrowaway?: boolean;
}

export interface RunningDatabase {
  /** The URL of the database `cloudwright`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Stops the server properly, whoever started it. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL on a data folder, or adopts the one that runs there; it outlives this process unless it is stopped. It
 * listens only on loopback and requires a password, which is random and stored in the data folder: other accounts of the machine cannot
 * connect. For development, not for production. Throws an Error of one sentence when the platform has none, the folder cannot be used or
 * the port is taken.
 */
export async function startDatabase(options: DatabaseOptions): Promise<RunningDatabase> {
  const wanted = resolve(options.dataDir);
  await mkdir(dirname(wanted), { recursive: true });
  const unlock = await lockPatiently(wanted);
  try {
    const account = await databaseAccount();
    const binaries = await binariesFor(account);
    const dataDir = await ensureDataFolder({ dataDir: wanted, account, binaries });
    const running = await findPostmaster(dataDir);
    const server = {
      program: binaries.postgres,
      dataDir,
      place: await placeOf(dataDir, account),
      port: options.port ?? 0,
      isDurable: options.isThrowaway !== true,
    };
    const postmaster = running ?? (await launch(server));
    await untilAnswering(postmaster, dataDir);
    if (running !== undefined) await requirePasswordsWhileRunning(dataDir, running.port);
    await ensureDatabase({ dataDir, port: postmaster.port });
    return {
      url: databaseUrl(postmaster.port, DATABASE, await readPassword(dataDir)),
      pid: postmaster.pid,
      port: postmaster.port,
      stop: () => stop(postmaster, dataDir),
    };
  } finally {
    await unlock();
  }
}

const DATABASE = "cloudwright";
const LOCK_WITHIN_MS = 60_000;
const ANSWER_WITHIN_MS = 120_000;
const FAST_STOP_WITHIN_MS = 8_000;
const POLL_EVERY_MS = 25;

/** Two commands may start at once; the second one then finds the server of the first. */
async function lockPatiently(dataDir: string): Promise<Unlock> {
  for (let waited = 0; ; waited += POLL_EVERY_MS) {
    try {
      return await lockFile(`${dataDir}.cloudwright`);
    } catch (error) {
      if (!(error instanceof FileInUseError) || waited > LOCK_WITHIN_MS) {
        throw error;
      }
    }
    await wait(POLL_EVERY_MS);
  }
}

async function untilAnswering(postmaster: Postmaster, dataDir: string): Promise<void> {
  const startedAt = performance.now();
  while (!(await answers(postmaster, dataDir))) {
    const late = performance.now() - startedAt > ANSWER_WITHIN_MS;
    if (late || !(await isRunning(postmaster, dataDir))) {
      throw await startError(dataDir);
    }
    await wait(POLL_EVERY_MS);
  }
}

async function answers({ pid, port }: Postmaster, dataDir: string): Promise<boolean> {
  const found = await findPostmaster(dataDir);
  if (found?.pid !== pid || !found.listening) {
    return false;
  }
  return await ask({ port, dataDir }, "SELECT 1").then(
    () => true,
    () => false,
  );
}

async function ensureDatabase(server: ServerAddress): Promise<void> {
  const found = await ask(server, `SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`);
  if (found.length === 0) {
    await ask(server, `CREATE DATABASE ${DATABASE} TEMPLATE template0 ENCODING 'UTF8'`);
  }
}

/** SIGINT ends sessions and writes everything out; a server that does not end is then stopped immediately and recovers later. */
async function stop(postmaster: Postmaster, dataDir: string): Promise<void> {
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    if (!(await isRunning(postmaster, dataDir))) {
      return;
    }
    signalTo(postmaster.pid, signal);
    await untilEnded(postmaster, dataDir);
  }
  if (await isRunning(postmaster, dataDir)) {
    throw new Error(`PostgreSQL (process ${postmaster.pid}) does not exit: stop it by hand.`);
  }
}

/** It may have ended meanwhile. */
function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) {
      throw error;
    }
  }
}

async function untilEnded(postmaster: Postmaster, dataDir: string): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < FAST_STOP_WITHIN_MS) {
    if (!(await isRunning(postmaster, dataDir))) {
      return;
    }
    await wait(POLL_EVERY_MS);
  }
}

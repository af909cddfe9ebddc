import { type ChildProcess, spawn } from "node:child_process";
import { chown, mkdir, open, readFile, rename, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { requirePasswords } from "./authentication.ts";
import type { ProgramPlace } from "./data-folder.ts";
import { clearStalePid, findPostmaster, type Postmaster } from "./postmaster.ts";

export interface Launch {
  readonly program: string;
  readonly dataDir: string;
  readonly place: ProgramPlace;
  /** 0 picks the previous port if it is free, else any free one. */
  readonly port: number;
  /** Whether committed data survives a stop of the machine. */
  readonly isDurable: boolean;
}

/**
 * Starts a server that outlives this process, and resolves when its pid file identifies it: if the caller then dies, the server can be
 * adopted. Throws the server's own reason when it ends instead.
 */
export async function launch(options: Launch): Promise<Postmaster> {
  await clearStalePid(options.dataDir);
  await requirePasswords(options);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launchOnce(options);
    } catch (error) {
      // Another process may take the free port just before the server does.
      const portWasFree = options.port === 0 && error instanceof PortTakenError;
      if (!portWasFree || attempt === ATTEMPTS) {
        throw error;
      }
    }
  }
}

const ATTEMPTS = 4;
const OWN_WITHIN_MS = 60_000;
const POLL_EVERY_MS = 25;

class PortTakenError extends Error {}

const SETTINGS = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "timezone=UTC"];
/** Also without autovacuum: it would continually scan the hundreds of small databases of a run, one after the other. */
const NOT_DURABLE = [
  ...["fsync=off", "synchronous_commit=off", "full_page_writes=off"],
  ...["wal_level=minimal", "max_wal_senders=0", "autovacuum=off"],
];

async function launchOnce(launched: Launch): Promise<Postmaster> {
  const { program, dataDir, place, port: wanted, isDurable } = launched;
  const port = wanted === 0 ? await freePort(dataDir) : wanted;
  const settings = isDurable ? SETTINGS : [...SETTINGS, ...NOT_DURABLE];
  const args = ["-D", place.dataArgument, "-p", String(port)];
  const log = await openLog(dataDir);
  try {
    const child = spawn(program, [...args, ...settings.flatMap((one) => ["-c", one])], {
      ...place.spawn,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    child.unref();
    const pid = await spawned(child);
    await untilItOwnsItsFolder({ pid, port }, { dataDir, child });
    return { pid, port };
  } finally {
    await log.close();
  }
}

/** Opens one log per start, and keeps the previous one. Its folder belongs to the server's account, like everything around it. */
async function openLog(dataDir: string) {
  const folder = dirname(logFile(dataDir));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, gid } = await stat(dataDir);
  await chown(folder, uid, gid);
  await rename(logFile(dataDir), `${logFile(dataDir)}.old`).catch(() => undefined);
  return await open(logFile(dataDir), "a", 0o600);
}

function spawned(child: ChildProcess): Promise<number> {
  return new Promise((done, fail) => {
    child.once("error", (cause) =>
      fail(
        new Error(`PostgreSQL could not be started (${cause.message}): set DATABASE_URL.`, {
          cause,
        }),
      ),
    );
    child.once("spawn", () => done(child.pid ?? 0));
  });
}

async function untilItOwnsItsFolder(
  postmaster: Postmaster,
  { dataDir, child }: { readonly dataDir: string; readonly child: ChildProcess },
): Promise<void> {
  const startedAt = performance.now();
  while ((await findPostmaster(dataDir))?.pid !== postmaster.pid) {
    const ended = child.exitCode !== null || child.signalCode !== null;
    if (ended || performance.now() - startedAt > OWN_WITHIN_MS) {
      throw await startError(dataDir);
    }
    await wait(POLL_EVERY_MS);
  }
}

/** Returns the server's last words before it gave up, as one sentence. */
export async function startError(dataDir: string): Promise<Error> {
  const lines = (await readFile(logFile(dataDir), "utf8").catch(() => "")).split("\n");
  const portLine = lines.find((line) => line.includes("could not bind"));
  const line = portLine ?? lines.findLast((one) => /FATAL|PANIC/.test(one));
  const why = line?.replace(/^.*?(FATAL|PANIC|LOG): +/, "") ?? "it gave no reason";
  const message = `PostgreSQL did not start on ${dataDir} (${why}): see ${logFile(dataDir)}, or set DATABASE_URL.`;
  return portLine === undefined ? new Error(message) : new PortTakenError(message);
}

/** Within the data folder, which is ours: files beside it may belong to others. */
function logFile(dataDir: string): string {
  return join(dataDir, "cloudwright-log", "postgresql.log");
}

async function freePort(dataDir: string): Promise<number> {
  const lastArguments = await readFile(join(dataDir, "postmaster.opts"), "utf8").catch(() => "");
  const last = Number(/"-p" "(\d+)"/.exec(lastArguments)?.[1] ?? 0);
  return await bindable(last).catch(() => bindable(0));
}

/** Returns the port itself, or the one that the system chose for 0; rejects when it is taken. */
async function bindable(wanted: number): Promise<number> {
  const server = createServer();
  return await new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(wanted, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : wanted;
      server.close(() => done(port));
    });
  });
}

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rowsOf } from "./database.ts";
import { freePort } from "./free-port.ts";
import { start } from "./processes.ts";
import { Skip } from "./verdicts.ts";
import { eventually } from "./wait.ts";

/** A server with its client programs, as in an operator's distribution; npm's package has no pg_dump. */
export interface PostgreSql {
  /** The folder of pg_dump and pg_restore. */
  readonly programs: string;
  /** Creates an empty database; returns its owner's connection string. */
  newDatabase(name: string): Promise<string>;
  stop(): Promise<unknown>;
}

const NEEDED = ["initdb", "postgres", "pg_dump", "pg_restore"];

/** Starts a server. Throws Skip if none is installed. */
export async function startPostgreSql(): Promise<PostgreSql> {
  const programs = installedPrograms();
  const account = unprivileged();
  // Not below a folder that only root may enter.
  const folder = mkdtempSync(join(tmpdir(), "postgresql-"));
  chmodSync(folder, 0o700);
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  const data = join(folder, "data");
  const as = { cwd: folder, ...account };
  const initdb = ["--pgdata", data, "--username=ledger_owner", "--auth=trust", "--no-sync"];
  execFileSync(join(programs, "initdb"), [...initdb, "--locale=C", "--encoding=UTF8"], {
    ...as,
    stdio: "pipe",
  });
  const port = await freePort();
  const listens = ["-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=${folder}`];
  const through =
    account === undefined
      ? []
      : ["setpriv", `--reuid=${account.uid}`, `--regid=${account.gid}`, "--clear-groups"];
  const server = start(
    join(programs, "postgres"),
    ["-D", data, "-p", String(port), "-c", "fsync=off", ...listens],
    { through },
  );
  const urlOf = (name: string) => `postgresql://ledger_owner@127.0.0.1:${port}/${name}`;
  const stop = async () => {
    // SIGINT is PostgreSQL's fast shutdown.
    await server.stop("SIGINT");
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await eventually(() => rowsOf(urlOf("postgres"), "SELECT"));
  } catch (error) {
    await stop();
    throw new Error(`PostgreSQL did not start: ${server.output()}`, { cause: error });
  }
  return {
    programs,
    newDatabase: async (name) => {
      await rowsOf(urlOf("postgres"), `CREATE DATABASE "${name}"`);
      return urlOf(name);
    },
    stop,
  };
}

/** Returns the programs on the PATH, else Debian's newest. */
function installedPrograms(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).map(Number) : [];
  const folders = [
    ...(process.env.PATH ?? "").split(":"),
    ...versions.sort((a, b) => b - a).map((version) => join(debian, String(version), "bin")),
  ];
  const found = folders.find((folder) => NEEDED.every((name) => existsSync(join(folder, name))));
  if (found === undefined)
    throw new Skip(`this machine has no PostgreSQL with ${NEEDED.join(", ")}`);
  return found;
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  const [, , uid, gid] = lines.find((line) => line.startsWith("nobody:"))?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Skip("there is no account nobody");
  return { uid: Number(uid), gid: Number(gid) };
}

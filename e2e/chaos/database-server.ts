import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { serveDatabase } from "../harness/controller.ts";
import { rowsOf } from "../harness/database.ts";
import { runCloudwright } from "../harness/processes.ts";
import { eventually } from "../harness/wait.ts";

/** A PostgreSQL with the current schema, and what may befall it. */
export interface DatabaseServer {
  /** The owner's. */
  readonly url: string;
  /** The login that a controller gets. */
  readonly controllerUrl: string;
  /** The login that a dashboard gets. */
  readonly webUrl: string;
  /** kill -9. */
  kill(): Promise<void>;
  /** On the same data and the same port, as an operator's database comes back. */
  restart(): Promise<void>;
  /** Stops all its processes where they are, until `thaw`. */
  freeze(): void;
  thaw(): void;
  setReadOnly(readOnly: boolean): Promise<void>;
  stop(): Promise<unknown>;
}

export async function startDatabaseServer(dir: string): Promise<DatabaseServer> {
  let server = await serveDatabase(dir);
  const { url } = server.ready;
  const folder = realpathSync(join(dir, "database"));
  const roles = join(dir, "database-roles.json");
  await runCloudwright(["migrate", "--database-url", url, "--role-urls", roles]);
  const urls = JSON.parse(readFileSync(roles, "utf8")) as {
    readonly controller: string;
    readonly web: string;
  };
  return {
    url,
    controllerUrl: urls.controller,
    webUrl: urls.web,
    kill: async () => {
      process.kill(postmaster(folder), "SIGKILL");
      await server.ended;
    },
    restart: async () => {
      server = await serveDatabase(dir);
      if (server.ready.url !== url) throw new Error(`PostgreSQL came back at ${server.ready.url}`);
    },
    freeze: () => signal(folder, "SIGSTOP"),
    thaw: () => signal(folder, "SIGCONT"),
    setReadOnly: (readOnly) => setReadOnly(url, readOnly),
    stop: () => server.stop(),
  };
}

function postmaster(folder: string): number {
  return Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]);
}

/** The first of them makes the others, so it is stopped first. */
function signal(folder: string, name: "SIGSTOP" | "SIGCONT"): void {
  const first = postmaster(folder);
  process.kill(first, name);
  const others = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && Number(pid) !== first);
  for (const pid of others) if (worksIn(pid, folder)) process.kill(Number(pid), name);
}

function worksIn(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false;
  }
}

/** As when an operator fences a database off, or a fail-over leaves the clients with the old primary. */
async function setReadOnly(url: string, readOnly: boolean): Promise<void> {
  const setting = `ALTER SYSTEM SET default_transaction_read_only = ${readOnly ? "on" : "off"}`;
  const session = new URL(url);
  session.searchParams.set("options", "-c default_transaction_read_only=off");
  await rowsOf(session.href, setting);
  await rowsOf(session.href, "SELECT pg_reload_conf()");
  await eventually(async () => {
    const [row] = await rowsOf<{ default_transaction_read_only: string }>(
      url,
      "SHOW default_transaction_read_only",
    );
    if (row?.default_transaction_read_only !== (readOnly ? "on" : "off"))
      throw new Error("PostgreSQL has not taken the setting yet");
  });
}

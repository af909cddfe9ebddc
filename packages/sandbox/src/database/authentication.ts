import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProgramPlace } from "./data-folder.ts";
import { newPassword, readPassword, writePassword } from "./password.ts";
import { ask } from "./session.ts";

/**
 * Who may connect: only with the password of a role. There is no socket file either (launch.ts); if somebody configures one, only the
 * account that runs the server may connect through it.
 */
const RULES = `# Written by Cloudwright: whoever connects needs the password of a role.
local all all peer
host all all 127.0.0.1/32 scram-sha-256
host all all ::1/128 scram-sha-256
`;

export interface StoppedServer {
  readonly program: string;
  readonly dataDir: string;
  readonly place: ProgramPlace;
}

/**
 * Makes a stopped server require passwords, and gives its owner one. An existing folder that trusted everybody on this machine is changed
 * as well. Throws an Error of one sentence.
 */
export async function requirePasswords(server: StoppedServer): Promise<void> {
  const { dataDir } = server;
  if (!(await needsChange(dataDir))) return;
  await writeFile(rulesFile(dataDir), RULES);
  const password = newPassword();
  await runAlone(server, setPassword(password));
  await writePassword(dataDir, password);
}

/** Does the same for an existing server that is running: current connections stay, new ones need the password. */
export async function requirePasswordsWhileRunning(dataDir: string, port: number): Promise<void> {
  if (!(await needsChange(dataDir))) return;
  const password = newPassword();
  await ask({ dataDir, port }, setPassword(password));
  await writePassword(dataDir, password);
  await writeFile(rulesFile(dataDir), RULES);
  await ask({ dataDir, port }, "SELECT pg_reload_conf()");
}

async function needsChange(dataDir: string): Promise<boolean> {
  const rules = await readFile(rulesFile(dataDir), "utf8");
  const trusts = rules.split("\n").some((line) => /^[^#]*\btrust\b/.test(line));
  return trusts || (await readPassword(dataDir)) === undefined;
}

function rulesFile(dataDir: string): string {
  return join(dataDir, "pg_hba.conf");
}

function setPassword(password: string): string {
  return `ALTER ROLE postgres PASSWORD '${password}'`;
}

/** Runs PostgreSQL without a network for one statement: nobody can connect meanwhile. */
async function runAlone({ program, dataDir, place }: StoppedServer, statement: string) {
  const settings = ["exit_on_error=on", "log_min_error_statement=panic", "fsync=off"];
  const options = settings.flatMap((one) => ["-c", one]);
  const args = ["--single", "-D", place.dataArgument, ...options, "postgres"];
  await new Promise<void>((done, fail) => {
    const child = execFile(program, args, place.spawn, (error, _, stderr) => {
      if (error === null) done();
      else fail(notSet(dataDir, stderr.trim().split("\n").at(-1) ?? String(error), error));
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(`${statement}\n`);
  });
}

function notSet(dataDir: string, why: string, cause: Error): Error {
  return new Error(
    `PostgreSQL's password in ${dataDir} could not be set (${why}): fix that or set DATABASE_URL.`,
    { cause },
  );
}

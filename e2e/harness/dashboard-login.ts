import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCloudwright } from "./processes.ts";

const LOGIN = "cloudwright_web";

let folder: string | undefined;
/** The latest migration for each server: they take turns, because the roles are the whole server's. */
const migrations = new Map<string, Promise<unknown>>();

/**
 * Returns the connection string of the dashboard's own login on the database of this owner, made as an operator makes it, so that a test
 * fails if a right is missing. Another dashboard on the same server keeps its password. A connection string of that login is returned
 * unchanged: where controllers use their own login as well, it comes from the file of both.
 */
export async function dashboardLogin(databaseUrl: string): Promise<string> {
  const { username, port } = new URL(databaseUrl);
  if (username === LOGIN) return databaseUrl;
  const file = join(passwordFolder(), `${port}.json`);
  const earlier = migrations.get(port) ?? Promise.resolve();
  const args = ["migrate", "--database-url", databaseUrl, "--role-urls", file];
  const migrated = earlier.then(async () => {
    await runCloudwright(args);
    const { web } = JSON.parse(readFileSync(file, "utf8")) as { readonly web: string };
    return web;
  });
  migrations.set(
    port,
    migrated.catch(() => undefined),
  );
  return migrated;
}

/** Returns a folder that is removed when this process ends. */
function passwordFolder(): string {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(tmpdir(), "cloudwright-logins-"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  folder = made;
  return made;
}

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCloudwright } from "./processes.ts";

const LOGIN = "cloudwright_web";

let folder: string | undefined;
/** The latest migration of each server. Migrations run one at a time, because roles belong to the whole server. */
const migrations = new Map<string, Promise<unknown>>();

/**
 * Returns the connection string of the dashboard's own login on this owner's database. The login is created as operators create it, so
 * that a test fails if a right is missing; other dashboards on the server share its password. A connection string of that login is
 * returned unchanged: if controllers also use their own login, the strings of both are in one file.
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

